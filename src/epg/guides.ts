import { resolve } from 'node:path';
import { messageOf, WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import { withPatience } from '../lib/patience.js';
import { Quiet } from '../lib/quiet.js';
import { Turns } from '../lib/turns.js';
import type { Job } from '../model/change.js';
import type { CatalogueEvent } from '../model/event.js';
import type { GivenGuide } from '../model/guide.js';
import { sourceKind } from '../model/source.js';
import type { GuideCause, GuideStore } from '../store/guide/contract.js';
import { createJobRunner, type JobRunner } from '../store/job-runner.js';
import type { Store } from '../store/open.js';
import { openBodyFiles } from './body-files.js';
import { createKeeper } from './keeper.js';
import { nameListGuides } from './list-guides.js';
import { createMatching, type Match } from './matching.js';
import type { Refreshed } from './refresh.js';
import { createTasks, type Task, type Tasks } from './tasks.js';

type Options = {
  readonly store: Store;
  readonly guideStore: GuideStore;
  readonly log: Log;
  /** In the order in which they speak. */
  readonly guides: readonly GivenGuide[];
  /** Whether guides that lists name are fetched too. */
  readonly fromLists: boolean;
  /** Ports that Weir listens on: no guide leads there. */
  readonly ownPorts: readonly number[];
  readonly match: Match;
};

/** Keeps the guides fresh: those that are given, those that users added, and those that lists name. */
export interface Guides {
  /**
   * Takes over the given guides and refreshes each. Resolves when all have been, or when the patience is over: 5 s for
   * addresses, 60 s for files. A guide that cannot be used is a line in the log and the guide source's reason.
   */
  start(): Promise<void>;
  /** Refreshes every guide source now; settles when all are done. */
  refreshAll(): Promise<void>;
  /** Breaks off what runs and settles when it has ended. The stores are used no more. */
  stop(): Promise<void>;
  /** Calls back with what happened: `guide-source`, `guide` and `job`. Returns what ends that. */
  on(listener: (event: CatalogueEvent) => void): () => void;
  /** @throws WeirError `not-found` for a guide source that is not refreshed. */
  refresh(source: number): Promise<Job>;
  /** Puts a quarantined body in service, guards off. @throws WeirError `not-found` when it is not kept. */
  accept(source: number, snapshot: number): Promise<Job>;
  /** Links channels to guides anew. */
  match(): Promise<Job>;
  /** Guide sources were added, changed or removed. */
  sourcesChanged(): Promise<void>;
  /**
   * A user changed something: links, what channels are shown, or guide sources by an undo. After 2 s of quiet what is newly
   * wanted is read from the kept bodies.
   */
  linksChanged(): void;
  /** Lists were published or removed: they may name other guides, and channels may have other names and ids. */
  listsChanged(): void;
}

/** Milliseconds that a start waits for a first refresh. */
const patience = { url: 5_000, file: 60_000 };
/** Milliseconds without a further change after which newly linked channels are read, all in one pass. */
const quiet = 2_000;

export function createGuides(options: Options): Guides {
  const { store, guides, fromLists } = options;
  const work = createWork(options);
  const { tasks, keeper, links, attempt, settle } = work;
  const sourcesChanged = async () => {
    await settle();
    await keeper.forget();
    work.shown();
  };
  const nameGuides = async () => {
    if (await nameListGuides(store.guideHouse, fromLists)) await sourcesChanged();
  };
  return {
    async start() {
      await store.guideHouse.give(distinct(guides));
      await nameListGuides(store.guideHouse, fromLists);
      await keeper.forget();
      const begun = await tasks.settle();
      await Promise.all(begun.map((task) => withPatience(task.refresh('start'), patience[task.source.kind])));
      keeper.start();
      links.disturb();
      work.rematch();
    },
    async refreshAll() {
      await Promise.all(tasks.all().map((task) => task.refresh('user')));
    },
    stop: work.stop,
    on: work.on,
    ...createActions({ ...options, ...work }),
    match: work.matching,
    sourcesChanged,
    linksChanged: () => links.disturb(),
    listsChanged() {
      attempt('the guides that lists name were not taken over', nameGuides);
      links.disturb();
      work.rematch();
    },
  };
}

/** What goes on beside: refreshes, passes, runs of the matcher, and who is told of them. */
function createWork({ store, guideStore, log, ownPorts, match }: Options) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const listeners = new Set<(event: CatalogueEvent) => void>();
  const tell = (event: CatalogueEvent) => {
    for (const listener of listeners) listener(event);
  };
  const shown = () => tell({ type: 'guide', generation: guideStore.generation() });
  const attempt = (what: string, work: () => Promise<unknown>) =>
    void work().catch((error: unknown) => {
      if (!signal.aborted) log.error({ error: messageOf(error) }, what);
    });
  const bodies = openBodyFiles(store.dir);
  const jobs = createJobRunner({ jobs: store.jobs, log, tell });
  const passes = new Turns(1);
  const shared = { store, guideStore, bodies, log, signal, inTurn: <T>(work: () => Promise<T>) => passes.run(work) };
  const published = (cause: GuideCause) => {
    shown();
    if (cause !== 'links') rematch();
  };
  const tasks = createTasks({ ...shared, ownPorts, tell, published });
  const settle = async () => {
    for (const task of await tasks.settle()) void task.refresh('user');
  };
  const complete = async () => {
    await settle();
    shown();
    const wanting = await keeper.wanting();
    await Promise.all(tasks.all().map((task) => wanting.has(task.source.id) && task.other({ cause: 'links' })));
  };
  const links = new Quiet(quiet, () => attempt('newly linked channels were not read', complete));
  const matching = createMatching({ jobs, match, signal, changed: () => links.disturb() });
  // Most houses begin without a guide: no thread is started for them.
  const isWanted = async () => {
    const { guideHouse } = store;
    return (
      (await guideHouse.sources()).length > 0 || (await guideHouse.review({ after: null, limit: 1 })).items.length > 0
    );
  };
  const rematch = () =>
    attempt('channels were not linked anew', async () => {
      if (await isWanted()) await matching();
    });
  const keeper = createKeeper(shared);
  const stop = async () => {
    links.end();
    keeper.stop();
    stopping.abort();
    await Promise.all(tasks.all().map((task) => task.end()));
    await jobs.settled();
    await passes.run(() => Promise.resolve());
  };
  const on = (listener: (event: CatalogueEvent) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { attempt, jobs, keeper, links, matching, on, rematch, settle, shown, stop, tasks };
}

type Actions = { readonly tasks: Tasks; readonly jobs: JobRunner; readonly guideStore: GuideStore };

/** What users ask for, as jobs. */
function createActions({ tasks, jobs, guideStore }: Actions): Pick<Guides, 'refresh' | 'accept'> {
  const run = async (task: Task): Promise<Refreshed> => {
    const refreshed = await task.refresh('user');
    const other = tasks.after(task);
    return other === null ? refreshed : await run(other);
  };
  return {
    async refresh(id) {
      const task = tasks.byId(id);
      return await jobs.run('guide-refresh', id, async () => resultOf(await run(task)));
    },
    async accept(id, snapshot) {
      const task = tasks.byId(id);
      const waiting = (await guideStore.feeds.byId(id))?.waiting;
      if (waiting?.snapshot !== snapshot || waiting.body.file === null)
        throw new WeirError('not-found', 'The body of that snapshot is not kept.');
      return await jobs.run('guide-refresh', id, async () => resultOf(await task.other({ cause: 'accept', snapshot })));
    },
  };
}

/** Each once, a path in full; of one that is given again, the last counts. */
function distinct(guides: readonly GivenGuide[]): GivenGuide[] {
  const full = ({ location }: GivenGuide) => (sourceKind(location) === 'file' ? resolve(location) : location);
  const byLocation = new Map(guides.map((guide) => [full(guide), guide]));
  return [...byLocation].map(([location, guide]) => ({ ...guide, location }));
}

/** What a job keeps of a refresh; throws what made it fail. */
function resultOf(refreshed: Refreshed): unknown {
  if (refreshed.state === 'failed') throw new WeirError('upstream-refused', refreshed.reason);
  return refreshed;
}
