import { workerData } from 'node:worker_threads';
import { answerJobs } from '../lib/job-thread.js';
import { openPublished } from '../store/published.js';
import type { ListRequest } from './publish.js';
import { type ListFile, writeListFile } from './write/file.js';

/** A list to be written into a file. */
export type PublishJob = {
  readonly path: string;
  readonly request: ListRequest;
  /** The same list as it was before, to take over what did not change; null when there is none. */
  readonly last: ListFile | null;
};

const published = openPublished((workerData as { readonly dir: string }).dir);
answerJobs(write);

function write({ path, request, last }: PublishJob): Promise<ListFile> {
  const { format, profile, lineup, base } = request;
  // The guide of the same channels, with the same ids.
  const guideUrl = `${base}${lineup === null ? '' : `/lineups/${lineup}`}/epg.xml`;
  const options = { base, format, profile, guideUrl };
  return published.read(lineup, (parts) => writeListFile(path, parts, options, last));
}
