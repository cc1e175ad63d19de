import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, WeirError } from '../lib/errors.js';
import { readPublished } from '../store/published.js';
import type { Failure } from '../store/writes.js';
import type { ListRequest, PublishedList } from './publish.js';
import { writePlaylist } from './write/write.js';

/** What the thread is started with: one list to write. It says how that went, and ends. */
export type PublishJob = { readonly dir: string; readonly path: string; readonly request: ListRequest };
export type PublishReply = { readonly list: PublishedList } | { readonly failure: Failure };

const { dir, path, request } = workerData as PublishJob;
const say = (reply: PublishReply) => parentPort?.postMessage(reply);
try {
  say({ list: readPublished(dir, request.lineup, write) });
} catch (error) {
  say({ failure: { code: error instanceof WeirError ? error.code : 'internal', message: messageOf(error) } });
}

function write(channels: Parameters<typeof writePlaylist>[0]): PublishedList {
  const { format, profile, base } = request;
  const hash = createHash('sha256');
  const file = openSync(path, 'w', 0o600);
  let bytes = 0;
  try {
    for (const chunk of writePlaylist(channels, { base, format, profile, guideUrl: `${base}/epg.xml` })) {
      hash.update(chunk);
      bytes += writeSync(file, chunk);
    }
  } finally {
    closeSync(file);
  }
  return { path, bytes, etag: hash.digest('base64url') };
}
