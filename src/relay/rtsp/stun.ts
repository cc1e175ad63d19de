import { randomBytes } from 'node:crypto';
import type { Endpoint } from './transport.js';

/** RFC 5389 §6, §15. */
const cookie = 0x2112a442;
const bindingRequest = 0x0001;
const bindingSuccess = 0x0101;
const mappedAddress = 0x0001;
const xorMappedAddress = 0x0020;
const headSize = 20;

/** Milliseconds that an answer may take, and how often it is asked for. */
const patience = 1000;
const tries = 2;

/** The part of a pair that asks. */
export interface Asker {
  send(socket: 'rtp', to: Endpoint, data: Buffer): Promise<void>;
  next(signal: AbortSignal): Promise<{ readonly from: Endpoint; readonly data: Buffer }>;
}

/** How the world sees the RTP socket of a pair (RFC 5389); null when the server does not say within 2 s. */
export async function mappingOf(asker: Asker, server: Endpoint, signal: AbortSignal): Promise<Endpoint | null> {
  const id = randomBytes(12);
  const late = new AbortController();
  const ask = () => asker.send('rtp', server, bindingOf(id));
  // One wait for both: a wait that was given up would take the answer to the second question.
  const again = setTimeout(() => void ask().catch(() => late.abort()), patience);
  const end = setTimeout(() => late.abort(), tries * patience);
  try {
    await ask();
    return await answerOf(asker, id, AbortSignal.any([signal, late.signal]));
  } catch {
    signal.throwIfAborted();
    return null;
  } finally {
    clearTimeout(again);
    clearTimeout(end);
  }
}

/** A binding request (§7.1). `id` has 12 bytes. */
export function bindingOf(id: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(bindingRequest, 0);
  head.writeUInt32BE(cookie, 4);
  return Buffer.concat([head, id]);
}

/** The address in a binding's answer to `id`, XOR-MAPPED-ADDRESS first (§15.2); null when it is none, or not of IPv4. */
export function readBinding(data: Buffer, id: Buffer): Endpoint | null {
  if (data.length < headSize || data.readUInt16BE(0) !== bindingSuccess || data.readUInt32BE(4) !== cookie) return null;
  if (!data.subarray(8, headSize).equals(id)) return null;
  const end = Math.min(data.length, headSize + data.readUInt16BE(2));
  const found = new Map<number, Endpoint>();
  for (let at = headSize; at + 4 <= end; ) {
    const size = data.readUInt16BE(at + 2);
    const value = data.subarray(at + 4, Math.min(end, at + 4 + size));
    const type = data.readUInt16BE(at);
    if (value.length >= 8 && value[1] === 1) found.set(type, readEndpoint(value, type === xorMappedAddress));
    at += 4 + size + ((4 - (size % 4)) % 4);
  }
  return found.get(xorMappedAddress) ?? found.get(mappedAddress) ?? null;
}

function readEndpoint(value: Buffer, isHidden: boolean): Endpoint {
  const port = value.readUInt16BE(2) ^ (isHidden ? cookie >>> 16 : 0);
  const bits = (value.readUInt32BE(4) ^ (isHidden ? cookie : 0)) >>> 0;
  return { address: [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.'), port };
}

/** Answers to other questions are passed over. */
async function answerOf(asker: Asker, id: Buffer, signal: AbortSignal): Promise<Endpoint> {
  for (;;) {
    const { data } = await asker.next(signal);
    signal.throwIfAborted();
    const mapped = readBinding(data, id);
    if (mapped !== null) return mapped;
  }
}
