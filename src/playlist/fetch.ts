import { webcrypto } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Download, download } from '../lib/download.js';
import { messageOf, WeirError } from '../lib/errors.js';
import { joined } from '../lib/gather.js';
import type { SourceRow } from '../store/sources.js';

export type Fetched = Download & {
  /** Tells whether the body is the one in service, read by the same rules. */
  readonly hash: string;
};

type Options = {
  readonly signal: AbortSignal;
  /** Whether the whole list is wanted, even if it is the one in service. */
  readonly whole: boolean;
};

const maxBytes = 64 * 1024 * 1024;
/** To be raised when the reader learns to read more, so that lists that did not change are read again. */
const readerVersion = 2;

/**
 * Gets the list of a source; null when the server says that it is the one in service still.
 * @throws WeirError with the reason, without credentials.
 */
export async function fetchList(source: SourceRow, { signal, whole }: Options): Promise<Fetched | null> {
  const { location, content } = source;
  if (source.kind === 'inline') return await withHash(inlineBody(content ?? ''), source);
  if (source.kind === 'file') return await withHash(await readFile(location, signal), source);
  const isCurrent = !whole && source.body_hash === (await hashFor(source.body_hash, source));
  const copy = isCurrent ? { etag: source.etag, lastModified: source.last_modified } : {};
  const agent = source.user_agent === null ? {} : { userAgent: source.user_agent };
  const own = { ...agent, headers: JSON.parse(source.headers) as Record<string, string>, proxy: source.proxy };
  const answer = await download(location, { signal, maxBytes, ...own, ...copy });
  return answer === null ? null : await withHash(answer, source);
}

function inlineBody(content: string): Download {
  return { body: Uint8Array.from(Buffer.from(content)), etag: null, lastModified: null };
}

async function readFile(path: string, signal: AbortSignal): Promise<Download> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw new WeirError('limit-reached', `It is larger than ${maxBytes / 1024 / 1024} MB.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof WeirError) throw error;
    throw new WeirError('not-found', `The file cannot be read: ${codeOf(error)}.`, { cause: error });
  }
  return { body: joined(chunks, size), etag: null, lastModified: null };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
}

/** What decides how a body is read, in a few characters. */
function manner({ encoding, include_vod: vod, headers, user_agent: agent }: SourceRow): string {
  return JSON.stringify([readerVersion, encoding, vod, headers, agent]);
}

/** Hashed off this thread, which a body of many megabytes would hold up. */
async function withHash(answer: Download, source: SourceRow): Promise<Fetched> {
  const digest = await webcrypto.subtle.digest('SHA-256', answer.body);
  return { ...answer, hash: `${await mannerHash(source)}:${Buffer.from(digest).toString('base64url')}` };
}

/** The hash of the same body, were it read as its source says now. */
async function hashFor(hash: string | null, source: SourceRow): Promise<string | null> {
  return hash === null ? null : `${await mannerHash(source)}:${hash.slice(hash.indexOf(':') + 1)}`;
}

async function mannerHash(source: SourceRow): Promise<string> {
  const digest = await webcrypto.subtle.digest('SHA-256', Buffer.from(manner(source)));
  return Buffer.from(digest).toString('base64url').slice(0, 12);
}
