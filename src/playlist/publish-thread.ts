import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, WeirError } from '../lib/errors.js';
import { openPublished } from '../store/published.js';
import type { Failure } from '../store/writes.js';
import type { ListRequest } from './publish.js';
import { type ListFile, writeListFile } from './write/file.js';

/** A list to be written into a file. Each is answered, in the order in which they are asked for. */
export type PublishJob = {
  readonly path: string;
  readonly request: ListRequest;
  /** The same list as it was before, to take over what did not change; null when there is none. */
  readonly last: ListFile | null;
};
export type PublishReply = { readonly list: ListFile } | { readonly failure: Failure };

const published = openPublished((workerData as { readonly dir: string }).dir);
let done: Promise<void> = Promise.resolve();
parentPort?.on('message', (job: PublishJob) => {
  done = done.then(async () => parentPort?.postMessage(await answer(job)));
});

async function answer({ path, request, last }: PublishJob): Promise<PublishReply> {
  const { format, profile, lineup, base } = request;
  // The guide of the same channels, with the same ids.
  const guideUrl = `${base}${lineup === null ? '' : `/lineups/${lineup}`}/epg.xml`;
  const options = { base, format, profile, guideUrl };
  try {
    return { list: await published.read(lineup, (parts) => writeListFile(path, parts, options, last)) };
  } catch (error) {
    return { failure: { code: error instanceof WeirError ? error.code : 'internal', message: messageOf(error) } };
  }
}
