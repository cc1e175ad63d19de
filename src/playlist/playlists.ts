import { resolve } from 'node:path';
import { WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import { withPatience } from '../lib/patience.js';
import type { Job } from '../model/change.js';
import type { CatalogueEvent } from '../model/event.js';
import type { NewRule, RulePreview } from '../model/rule.js';
import { type GivenSource, sourceKind } from '../model/source.js';
import { createJobRunner } from '../store/job-runner.js';
import type { Store } from '../store/open.js';
import { previewRule } from './preview.js';
import type { Refreshed } from './refresh.js';
import { createRelisting, resultOf } from './relisting.js';
import { createTasks, type Task } from './tasks.js';

type Options = {
  readonly store: Store;
  readonly log: Log;
  /** In the order in which they are published. */
  readonly sources: readonly GivenSource[];
};

/** Keeps the lists fresh: those that are given, and those that users added. */
export interface Playlists {
  /**
   * Takes over the given sources and refreshes each. Resolves when all have been, or when the patience is over: 5 s for
   * addresses, so that a slow server holds nothing up, 60 s for files. A list that cannot be used is a line in the log
   * and the source's reason.
   */
  start(): Promise<void>;
  /** Refreshes every source now; settles when all are done. */
  refreshAll(): Promise<void>;
  /** Breaks off what runs and settles when it has ended. The store is used no more. */
  stop(): Promise<void>;
  /** Calls back with what happened. Returns what ends that. */
  on(listener: (event: CatalogueEvent) => void): () => void;
  /** A dry run changes nothing; its job's result holds counts and the first changes. */
  refresh(source: number, options: { readonly dryRun: boolean }): Promise<Job>;
  /** Puts a quarantined or earlier body in service, guards off. */
  restore(source: number, snapshot: number): Promise<Job>;
  /** Makes all listings anew, after rules were changed. */
  applyRules(): Promise<Job>;
  /** What a rule would do to the channels as they are. */
  previewRule(rule: NewRule): Promise<RulePreview>;
  /** Sources were added, changed or removed. */
  sourcesChanged(): Promise<void>;
}

/** Milliseconds that a start waits for a first refresh. */
const patience = { url: 5_000, file: 60_000, inline: 60_000 };

export function createPlaylists({ store, log, sources }: Options): Playlists {
  const stopping = new AbortController();
  const listeners = new Set<(event: CatalogueEvent) => void>();
  const tell = (event: CatalogueEvent) => {
    for (const listener of listeners) listener(event);
  };
  const tasks = createTasks({ store, log, signal: stopping.signal, tell });
  const jobs = createJobRunner({ jobs: store.jobs, log, tell });
  const { applyRules, relistArchives } = createRelisting({ store, tasks, jobs });
  return {
    async start() {
      await store.sources.give(distinct(sources));
      await store.snapshots.prune();
      await store.sources.expireMissing();
      const begun = await tasks.settle();
      if (await store.jobs.areRulesDue()) {
        await applyRules();
        await withPatience(jobs.settled(), patience.file);
      }
      await relistArchives();
      await withPatience(jobs.settled(), patience.file);
      await Promise.all(begun.map((task) => withPatience(task.refresh('start'), patience[task.row.kind])));
    },
    async refreshAll() {
      await Promise.all(tasks.all().map((task) => task.refresh('user')));
    },
    async stop() {
      stopping.abort();
      await Promise.all(tasks.all().map((task) => task.end()));
      await jobs.settled();
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async refresh(id, { dryRun }) {
      const run = async (task: Task): Promise<Refreshed> => {
        const refreshed = await (dryRun ? task.other({ cause: 'user', dryRun }) : task.refresh('user'));
        const other = tasks.after(task);
        return other === null ? refreshed : await run(other);
      };
      const task = tasks.byId(id);
      return await jobs.run('refresh', id, async () => resultOf(await run(task)));
    },
    async restore(id, snapshot) {
      const task = tasks.byId(id);
      const kept = (await store.refreshes.snapshots(id)).find((one) => one.id === snapshot);
      if (kept === undefined || !kept.kept) throw new WeirError('not-found', 'That snapshot is not kept.');
      const cause = kept.state === 'quarantined' ? 'accept' : 'rollback';
      return await jobs.run('refresh', id, async () => resultOf(await task.other({ cause, snapshot })));
    },
    applyRules,
    previewRule: (rule) => previewRule(store, rule),
    async sourcesChanged() {
      for (const task of await tasks.settle()) void task.refresh('user');
      await relistArchives();
      tell({ type: 'catalogue', generation: await store.channels.generation() });
    },
  };
}

/** Each once, a path in full; of one that is given again, the last counts. */
function distinct(sources: readonly GivenSource[]): GivenSource[] {
  const full = ({ location }: GivenSource) => (sourceKind(location) === 'file' ? resolve(location) : location);
  const byLocation = new Map(sources.map((source) => [full(source), source]));
  return [...byLocation].map(([location, source]) => ({ ...source, location }));
}
