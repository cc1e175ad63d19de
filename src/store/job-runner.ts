import { messageOf } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import type { Job } from '../model/change.js';
import type { CatalogueEvent } from '../model/event.js';
import type { Jobs } from './jobs.js';

type Options = { readonly jobs: Jobs; readonly log: Log; readonly tell: (event: CatalogueEvent) => void };
/** Does the work of a job; `progress` is 0 to 1. Resolves with its result. */
type Work = (progress: (share: number) => Promise<void>) => Promise<unknown>;

/** Runs long work as jobs, and tells of each step. */
export interface JobRunner {
  /** Resolves as soon as the job is there; what it throws makes the job fail. */
  run(kind: Job['kind'], subject: number | null, work: Work): Promise<Job>;
  /** Resolves when all of them have ended. */
  settled(): Promise<void>;
}

export function createJobRunner({ jobs, log, tell }: Options): JobRunner {
  const running = new Set<Promise<void>>();
  const say = (job: Job) => tell({ type: 'job', job });
  const carryOut = async (id: number, work: Work) => {
    say(await jobs.start(id));
    try {
      const result = await work(async (share) => say(await jobs.progress(id, share)));
      say(await jobs.finish(id, result));
    } catch (error) {
      say(await jobs.fail(id, messageOf(error)));
    }
  };
  return {
    async run(kind, subject, work) {
      const job = await jobs.create(kind, subject);
      say(job);
      const failed = (error: unknown) => log.error({ error: messageOf(error) }, 'a job was not brought to its end');
      const done = carryOut(job.id, work).catch(failed);
      running.add(done);
      void done.finally(() => running.delete(done));
      return job;
    },
    async settled() {
      await Promise.all(running);
    },
  };
}
