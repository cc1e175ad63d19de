import { WeirError } from '../lib/errors.js';
import type { Job } from '../model/change.js';
import type { JobRunner } from '../store/job-runner.js';
import type { Store } from '../store/open.js';
import type { Refreshed } from './refresh.js';
import type { Tasks } from './tasks.js';

type Options = { readonly store: Store; readonly tasks: Tasks; readonly jobs: JobRunner };

/** Makes listings anew of what was read before: nothing is fetched for that. */
export interface Relisting {
  /** All of them, after rules were changed. */
  applyRules(): Promise<Job>;
  /** Those that were made with another setting of archives than their source's. Resolves when their jobs are there. */
  relistArchives(): Promise<void>;
}

export function createRelisting({ store, tasks, jobs }: Options): Relisting {
  return {
    applyRules: () =>
      jobs.run('rules', null, async (progress) => {
        const served = (await store.sources.list()).filter(({ publishedAt }) => publishedAt !== null);
        for (const [index, { id }] of served.entries()) {
          resultOf(await tasks.restage(id));
          await progress((index + 1) / served.length);
        }
        return null;
      }),
    async relistArchives() {
      const due = () => store.sources.listedOtherwise();
      for (const id of await due()) {
        await jobs.run('rules', id, async () =>
          (await due()).includes(id) ? resultOf(await tasks.restage(id)) : null,
        );
      }
    },
  };
}

/** What a job keeps of a refresh; throws what made it fail. */
export function resultOf(refreshed: Refreshed): unknown {
  if (refreshed.state === 'failed') throw new WeirError('upstream-refused', refreshed.reason);
  if (refreshed.state === 'planned') {
    const { summary, objection, changes } = refreshed;
    return { state: 'planned', objection, entries: summary.entries, counts: summary.changes, changes };
  }
  if (refreshed.state === 'published')
    return { state: 'published', entries: refreshed.summary.entries, counts: refreshed.summary.changes };
  return refreshed;
}
