import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { downloadTo } from '../lib/download-to.js';
import { messageOf, WeirError } from '../lib/errors.js';
import { lent } from '../lib/lent.js';
import type { GuideSource } from '../model/guide.js';
import type { BodyRef } from '../store/guide/contract.js';
import { type BodyFiles, maxPlain } from './body-files.js';

export type FetchedBody = BodyRef & { readonly file: string };

/** What a guide is asked for with, beside what its source says. */
export type Manners = Pick<GuideSource, 'headers' | 'userAgent' | 'proxy'> & {
  /** Whether a list gave the address, and not the owner. */
  readonly strict: boolean;
};

type Options = {
  readonly signal: AbortSignal;
  readonly bodies: BodyFiles;
  readonly manners: Manners;
  readonly ownPorts: readonly number[];
  /** Of the body in service, if it is kept and would be read in the same way; null asks for the whole guide. */
  readonly copy: BodyRef | null;
};

/** Milliseconds for all of a guide: half an hour. */
const timeout = 1_800_000;
const piece = 256 * 1024;

/**
 * Gets the guide of a source into a file; null when it is the one in service still.
 * @throws WeirError with the reason, without credentials.
 */
export async function fetchGuide(source: GuideSource, options: Options): Promise<FetchedBody | null> {
  return source.kind === 'file' ? await copyFile(source, options) : await downloadGuide(source, options);
}

async function downloadGuide(source: GuideSource, options: Options): Promise<FetchedBody | null> {
  const { signal, bodies, manners, ownPorts, copy } = options;
  const { headers, userAgent, proxy, strict } = manners;
  const agent = userAgent === null ? {} : { userAgent };
  const known = { etag: copy?.etag ?? null, lastModified: copy?.lastModified ?? null };
  const request = { signal, headers, proxy, strict, ownPorts, timeout, maxBytes: maxPlain, ...agent, ...known };
  const answer = await downloadTo(source.location, request, (chunks) => bodies.keep(source.id, chunks));
  return answer === null ? null : { ...answer.kept, etag: answer.etag, lastModified: answer.lastModified };
}

/** A file is kept as well: it may be overwritten with rubbish. */
async function copyFile({ id, location }: GuideSource, { signal, bodies, copy }: Options): Promise<FetchedBody | null> {
  try {
    const { size, mtimeMs, ino } = await stat(location);
    const etag = `${size}-${mtimeMs}-${ino}`;
    if (copy?.etag === etag) return null;
    const kept = await bodies.keep(id, lent(createReadStream(location, { signal, highWaterMark: piece })));
    return { ...kept, etag, lastModified: null };
  } catch (error) {
    if (error instanceof WeirError) throw error;
    throw new WeirError('not-found', `The file cannot be read: ${codeOf(error)}.`, { cause: error });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
}
