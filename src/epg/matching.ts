import type { Job } from '../model/change.js';
import type { JobRunner } from '../store/job-runner.js';

/** Links channels to guides anew; `progress` is 0 to 1. */
export type Match = (options: {
  readonly signal: AbortSignal;
  readonly progress: (share: number) => Promise<void>;
}) => Promise<{
  /** Whether links are others now. */
  readonly changed: boolean;
  /** What the job keeps. */
  readonly result: unknown;
}>;

type Options = {
  readonly jobs: JobRunner;
  readonly match: Match;
  readonly signal: AbortSignal;
  /** Links are others now. */
  readonly changed: () => void;
};

/** Returns what asks for a run: one goes on at a time, and one more waits for all who ask meanwhile. */
export function createMatching({ jobs, match, signal, changed }: Options): () => Promise<Job> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Job> | null = null;
  const run = async (progress: (share: number) => Promise<void>) => {
    const matched = await match({ signal, progress });
    if (matched.changed) changed();
    return matched.result;
  };
  return () => {
    next ??= jobs.run('guide-match', null, async (progress) => {
      await last;
      next = null;
      const running = run(progress);
      last = running.catch(() => undefined);
      return await running;
    });
    return next;
  };
}
