import { readFileSync } from 'node:fs';
import { playLoop, readLoop } from '../../../demo/loop.js';
import { packetSize, TsMaker } from '../ts.js';

/** Packets of TS in their order, without end. */
export type Programme = {
  next(): Buffer;
  /** How far it has come, in 90 kHz. */
  clock(): number;
};

/** Packets with numbers, whose clock is the programme's own, however fast it is sent. */
export function numbered({ tag, first, rate }: { tag: number; first: number; rate: number }): Programme {
  const maker = new TsMaker({ tag, first, tablesEvery: 50, pictureEvery: 20 });
  const clock = () => Math.round((maker.number * 90_000) / rate);
  return { next: () => clocked(maker.next(), clock()), clock };
}

/** A recording, round and round. */
export function recorded(file: string): Programme {
  const packets = playLoop(readLoop(readFileSync(file)));
  let due = 0;
  const next = () => {
    const { value } = packets.next();
    due = value.due;
    return Buffer.from(value.bytes);
  };
  return { next, clock: () => Math.round(due / 300) };
}

/** Packets a second. */
export function rateOf(file: string): number {
  const { packets, duration } = readLoop(readFileSync(file));
  return Math.ceil((packets.length * 27e6) / duration);
}

/** Puts the programme's clock in place of the machine's (ISO/IEC 13818-1 §2.4.3.5). */
function clocked(packet: Buffer, time: number): Buffer {
  const hasClock = packet.length === packetSize && ((packet[3] ?? 0) & 0x20) !== 0 && ((packet[5] ?? 0) & 0x10) !== 0;
  if (!hasClock) return packet;
  const clock = time % 2 ** 32;
  packet.writeUInt32BE(Math.floor(clock / 2), 6);
  packet.writeUInt16BE(((clock & 1) << 15) | 0x7e00, 10);
  return packet;
}
