import { JobThread } from '../lib/job-thread.js';
import type { DocumentRequest } from './document.js';

/** A guide to be written into a file. */
export type GuideJob = DocumentRequest & {
  readonly path: string;
  /** Slug of a line-up, or null for all that is published. */
  readonly lineup: string | null;
};

/** A file that is ready to be sent; the ETag is of its content, without quotes. */
export type GuideFile = { readonly path: string; readonly bytes: number; readonly etag: string };

/** A guide as it is and as gzip. */
export type PublishedGuide = {
  readonly plain: GuideFile;
  readonly packed: GuideFile;
  readonly hasProgrammes: boolean;
};

/** The thread that writes guides of a data directory, one after another. */
export function createOutThread(dir: string): JobThread<GuideJob, PublishedGuide> {
  return new JobThread(new URL('./publish-thread.js', import.meta.url), { dir });
}
