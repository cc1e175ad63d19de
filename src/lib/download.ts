import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, type Dispatcher, request } from 'undici';
import { AddressSet } from './address.js';
import { messageOf, WeirError } from './errors.js';

type Options = {
  readonly userAgent: string;
  /** Of the copy at hand: the answer may be that it is still the same (RFC 9110 §13.1). */
  readonly etag?: string | null;
  readonly lastModified?: string | null;
  readonly signal?: AbortSignal;
  /** Milliseconds for all of it; 30,000 unless said. */
  readonly timeout?: number;
  /** Bytes of the decompressed body; 64 MB unless said. */
  readonly maxBytes?: number;
};

export type Download = {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

const maxRedirects = 5;
/** This machine and its links, metadata services of clouds among them: only who gave the address may mean them. */
const inner = new AddressSet([
  '127.0.0.0/8',
  '0.0.0.0/8',
  '169.254.0.0/16',
  '::1/128',
  '::/128',
  'fe80::/10',
  'fd00:ec2::254/128',
]);

/**
 * Fetches a body over HTTP(S), following up to five redirects; null when it is the one at hand still. A redirect to
 * another host never reaches this machine or its link-local neighbours. Credentials in the address are sent to its own
 * origin only, and stand in no message.
 * @throws WeirError `upstream-refused`, with Retry-After where one was said, `upstream-timeout` or `limit-reached`.
 */
export async function download(address: string, options: Options): Promise<Download | null> {
  const { timeout = 30_000, maxBytes = 64 * 1024 * 1024 } = options;
  const timer = AbortSignal.timeout(timeout);
  const signal = options.signal === undefined ? timer : AbortSignal.any([options.signal, timer]);
  const agents: Agent[] = [];
  try {
    const answer = await follow(address, options, signal, agents);
    if (answer.statusCode === 304) return null;
    if (answer.statusCode !== 200) throw refused(answer);
    const body = await readBody(answer, maxBytes);
    return { body, etag: field(answer, 'etag'), lastModified: field(answer, 'last-modified') };
  } catch (error) {
    if (error instanceof WeirError) throw error;
    if (timer.aborted) throw new WeirError('upstream-timeout', `No whole answer within ${timeout / 1000} s.`);
    throw new WeirError('upstream-refused', `The download failed: ${reasonOf(error)}.`, { cause: error });
  } finally {
    await Promise.all(agents.map((agent) => agent.destroy()));
  }
}

type Answer = Dispatcher.ResponseData;

async function follow(address: string, options: Options, signal: AbortSignal, agents: Agent[]): Promise<Answer> {
  const given = parseAddress(address);
  let url = given;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const isOwn = url.hostname === given.hostname;
    if (!isOwn && inner.has(url.hostname.replace(/^\[|\]$/g, ''))) throw innerAddress();
    const agent = new Agent(isOwn ? {} : { connect: { lookup: outerLookup } });
    agents.push(agent);
    const headers = headersFor(options, url.origin === given.origin ? given : null);
    const target = new URL(url);
    target.username = '';
    target.password = '';
    const answer = await request(target, { dispatcher: agent, headers, signal });
    const location = field(answer, 'location');
    if (!(answer.statusCode >= 301 && answer.statusCode <= 308 && answer.statusCode !== 304) || location === null)
      return answer;
    await answer.body.dump();
    url = parseAddress(location, url);
  }
  throw new WeirError('upstream-refused', `More than ${maxRedirects} redirects.`);
}

function parseAddress(address: string, base?: URL): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new WeirError('upstream-refused', 'It leads to an address that is not http or https.');
  }
  return url;
}

function headersFor({ userAgent, etag, lastModified }: Options, given: URL | null): Record<string, string> {
  return {
    'user-agent': userAgent,
    'accept-encoding': 'gzip, deflate, br',
    ...(etag ? { 'if-none-match': etag } : {}),
    ...(lastModified ? { 'if-modified-since': lastModified } : {}),
    ...(given === null || given.username === '' ? {} : { authorization: basic(given) }),
  };
}

function basic({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** Refuses names that lead to this machine, after they were looked up. */
const outerLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, [], undefined);
    if (addresses.some(({ address }) => isIP(address) === 0 || inner.has(address)))
      return callback(innerAddress(), [], undefined);
    if (options.all === true) return callback(null, addresses, undefined);
    const [first] = addresses;
    callback(null, first?.address ?? '', first?.family);
  });
};

function innerAddress(): WeirError {
  return new WeirError('upstream-refused', 'It redirects to an address of this machine, which is not followed.');
}

async function readBody(answer: Answer, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of decompressed(answer) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw new WeirError('limit-reached', `It is larger than ${maxBytes / 1024 / 1024} MB.`);
    chunks.push(chunk);
  }
  return joined(chunks, size);
}

/** One array of its own memory, that may be moved to another thread. */
export function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function decompressed(answer: Answer): Readable {
  const encoding = field(answer, 'content-encoding')?.toLowerCase() ?? 'identity';
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const create = Object.entries(decoders).find(([name]) => name === encoding)?.[1];
  if (create === undefined) return answer.body;
  const decoder = create();
  answer.body.on('error', (error) => decoder.destroy(error));
  return answer.body.pipe(decoder);
}

function refused(answer: Answer): WeirError {
  const seconds = retryAfter(field(answer, 'retry-after'));
  const message = `The server answered ${answer.statusCode}.`;
  return new WeirError('upstream-refused', message, seconds === null ? {} : { retryAfter: seconds });
}

/** Seconds from a number or a date (RFC 9110 §10.2.3), or null. */
function retryAfter(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text);
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}

function field(answer: Answer, name: string): string | null {
  const value = answer.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** The system's code says more than a client's message does, and holds no address. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return messageOf(error);
}
