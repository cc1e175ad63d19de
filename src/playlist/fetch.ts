import { webcrypto } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Download, download, joined } from '../lib/download.js';
import { messageOf, WeirError } from '../lib/errors.js';
import type { SourceRow } from '../store/sources.js';

export type Fetched = Download & {
  /** Tells whether the body is the one in service, read by the same rules. */
  readonly hash: string;
};

const maxBytes = 64 * 1024 * 1024;
/** To be raised when the reader learns to read more, so that lists that did not change are read again. */
const readerVersion = 1;

/**
 * Gets the list of a source; null when the server says that it is the one in service still.
 * @throws WeirError with the reason, without credentials.
 */
export async function fetchList(source: SourceRow, userAgent: string, signal: AbortSignal): Promise<Fetched | null> {
  const { etag, last_modified: lastModified, location, body_hash: hash } = source;
  if (source.kind === 'file') return await withHash(await readFile(location, signal));
  const isCurrent = hash?.startsWith(`${readerVersion}:`) === true;
  const copy = isCurrent ? { etag, lastModified } : {};
  const answer = await download(location, { userAgent, signal, maxBytes, ...copy });
  return answer === null ? null : await withHash(answer);
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

/** Hashed off this thread, which a body of many megabytes would hold up. */
async function withHash(answer: Download): Promise<Fetched> {
  const digest = await webcrypto.subtle.digest('SHA-256', answer.body);
  return { ...answer, hash: `${readerVersion}:${Buffer.from(digest).toString('base64url')}` };
}
