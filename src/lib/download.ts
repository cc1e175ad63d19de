import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { WeirError } from './errors.js';
import { Gather, tooLarge } from './gather.js';
import { requestHeaders } from './http-headers.js';
import { failureOf } from './http-reason.js';
import { parseProxy, type Route, routeTo } from './http-route.js';
import { inflateAny } from './inflate-any.js';
import { outerAddresses, portOf } from './inner-address.js';

export type DownloadOptions = {
  /** Sent unless `headers` hold one; a player's unless said. */
  readonly userAgent?: string;
  /** More header fields, for the given origin; a redirect elsewhere takes along none that could be a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An http, https or socks5 address, credentials included; null is none. */
  readonly proxy?: string | null;
  /** True when a list gave the address, and not the owner: then it too may not lead to this machine. */
  readonly strict?: boolean;
  /** Ports that Weir listens on: neither redirects nor strict addresses reach them. */
  readonly ownPorts?: readonly number[];
  /** Of the copy at hand: the answer may be that it is still the same (RFC 9110 §13.1). */
  readonly etag?: string | null;
  readonly lastModified?: string | null;
  readonly signal?: AbortSignal;
  /** Milliseconds for all of it; 120,000 unless said. */
  readonly timeout?: number;
  /** Milliseconds without a byte from the server; 30,000 unless said. */
  readonly idle?: number;
  /** Bytes of the body, as it comes and decompressed; 64 MB unless said. */
  readonly maxBytes?: number;
};

export type Download = {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

export type Answer = Dispatcher.ResponseData;
type Reach = { readonly proxy: URL | null; readonly signal: AbortSignal; readonly opened: Dispatcher[] };

type Decoder = Transform | typeof inflateAny;

const maxRedirects = 5;
const redirects = [301, 302, 303, 307, 308];
/** Seconds that a server may ask to wait. */
const longestWait = 365 * 24 * 3600;

/**
 * Fetches a body over HTTP(S), following up to five redirects; null when it is the one at hand still. A redirect to
 * another host, or a strict address, never reaches this machine, its links or metadata services, whatever its name is
 * said to lead to; private networks it does. Credentials are sent to the given origin only, and stand in no message.
 * @throws WeirError `upstream-refused`, with Retry-After where one was said, `upstream-timeout`, `limit-reached`, or
 * `invalid` for a proxy or header fields that cannot be used.
 */
export async function download(address: string, options: DownloadOptions = {}): Promise<Download | null> {
  const { maxBytes = 64 * 1024 * 1024 } = options;
  return await withAnswer(address, options, async (answer, signal) => {
    const body = await readBody(answer, maxBytes, signal);
    return { body, ...validatorsOf(answer) };
  });
}

/** The same, with what the body is read by: it must be read to its end, or fail. */
export async function withAnswer<T>(
  address: string,
  options: Omit<DownloadOptions, 'maxBytes'>,
  read: (answer: Answer, signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const { timeout = 120_000 } = options;
  const proxy = options.proxy ? parseProxy(options.proxy) : null;
  const timer = AbortSignal.timeout(timeout);
  const signal = options.signal === undefined ? timer : AbortSignal.any([options.signal, timer]);
  const opened: Dispatcher[] = [];
  try {
    const answer = await follow(address, options, { proxy, signal, opened });
    if (answer.statusCode === 304) return null;
    if (answer.statusCode !== 200) throw refused(answer);
    return await read(answer, signal);
  } catch (error) {
    if (error instanceof WeirError) throw error;
    if (timer.aborted) throw new WeirError('upstream-timeout', `No whole answer within ${timeout / 1000} s.`);
    if (signal.aborted) throw new WeirError('upstream-refused', 'The download was broken off.');
    throw failureOf(error, proxy !== null);
  } finally {
    await Promise.all(opened.map((dispatcher) => dispatcher.destroy()));
  }
}

async function follow(address: string, options: DownloadOptions, reach: Reach): Promise<Answer> {
  const given = parseAddress(address);
  let url = given;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const route = await routeFor(url, options, reach, options.strict === true || (hop > 0 && isForeign(url)));
    reach.opened.push(route.dispatcher);
    const { dispatcher, target } = route;
    const headers = requestHeaders(url, given, options);
    const answer = await request(target, { dispatcher, headers, signal: reach.signal });
    const location = field(answer, 'location');
    if (!redirects.includes(answer.statusCode) || location === null) return answer;
    // Some servers never end the body of a redirect.
    answer.body.on('error', () => {}).destroy();
    url = parseAddress(location, url);
  }
  throw new WeirError('upstream-refused', `More than ${maxRedirects} redirects.`);

  /** Not of the host that the owner named; what names ourselves never is. */
  function isForeign(next: URL): boolean {
    return next.hostname !== given.hostname || options.ownPorts?.includes(portOf(next)) === true;
  }
}

async function routeFor(
  url: URL,
  options: DownloadOptions,
  { proxy, signal }: Reach,
  checked: boolean,
): Promise<Route> {
  const { ownPorts = [], idle = 30_000 } = options;
  const addresses = checked ? await outerAddresses(url, { ownPorts, signal }) : null;
  return routeTo(url, { proxy, addresses, idle });
}

function parseAddress(address: string, base?: URL): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new WeirError('upstream-refused', 'It leads to an address that is not http or https.');
  }
  return url;
}

async function readBody(answer: Answer, maxBytes: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const decoder = decoderOf(answer);
  const length = field(answer, 'content-length');
  const promised = decoder === null && length !== null && /^\d+$/.test(length) ? Number(length) : null;
  if (promised !== null && promised > maxBytes) throw tooLarge(maxBytes);
  const gather = new Gather(maxBytes, promised);
  const sink = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) gather.add(chunk);
  };
  if (decoder === null) await pipeline(answer.body, sink, { signal });
  else await pipeline(answer.body, limited(maxBytes), decoder, sink, { signal });
  return gather.whole();
}

/** Counts what comes compressed: it may be endless, and nothing at all when it is decompressed. */
export function limited(maxBytes: number) {
  return async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
}

/** What a later request names the copy by (RFC 9110 §8.8). */
export function validatorsOf(answer: Answer): { readonly etag: string | null; readonly lastModified: string | null } {
  return { etag: field(answer, 'etag'), lastModified: field(answer, 'last-modified') };
}

export function decoderOf(answer: Answer): Decoder | null {
  const encoding = field(answer, 'content-encoding')?.toLowerCase() ?? 'identity';
  const decoders = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: () => inflateAny,
    br: createBrotliDecompress,
  };
  return Object.entries(decoders).find(([name]) => name === encoding)?.[1]() ?? null;
}

function refused(answer: Answer): WeirError {
  const seconds = retryAfter(field(answer, 'retry-after'));
  const message = `The server answered ${answer.statusCode}.`;
  return new WeirError('upstream-refused', message, seconds === null ? {} : { retryAfter: seconds });
}

/** Seconds from a number or a date (RFC 9110 §10.2.3), or null. */
function retryAfter(text: string | null): number | null {
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), longestWait);
}

export function field(answer: Answer, name: string): string | null {
  const value = answer.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
