import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, WeirError } from '../lib/errors.js';
import { openPublished } from '../store/published.js';
import type { Failure } from '../store/writes.js';
import type { ListRequest, PublishedList } from './publish.js';
import { writePlaylist } from './write/write.js';

/** A list to be written into a file. Each is answered, in the order in which they are asked for. */
export type PublishJob = { readonly path: string; readonly request: ListRequest };
export type PublishReply = { readonly list: PublishedList } | { readonly failure: Failure };

const published = openPublished((workerData as { readonly dir: string }).dir);
let last: Promise<void> = Promise.resolve();
parentPort?.on('message', (job: PublishJob) => {
  last = last.then(async () => parentPort?.postMessage(await answer(job)));
});

async function answer({ path, request }: PublishJob): Promise<PublishReply> {
  try {
    return { list: await published.read(request.lineup, (channels) => write(channels, path, request)) };
  } catch (error) {
    return { failure: { code: error instanceof WeirError ? error.code : 'internal', message: messageOf(error) } };
  }
}

function write(
  channels: Parameters<typeof writePlaylist>[0],
  path: string,
  { format, profile, base }: ListRequest,
): PublishedList {
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
