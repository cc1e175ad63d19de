import { resolve } from 'node:path';
import { messageOf, WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import type { Job } from '../model/change.js';
import type { CatalogueEvent } from '../model/event.js';
import type { Rule, RulePreview } from '../model/rule.js';
import { type GivenSource, shownLocation, sourceKind } from '../model/source.js';
import type { Store } from '../store/open.js';
import type { SourceRow } from '../store/sources.js';
import { previewRule } from './preview.js';
import { type Refreshed, type RefreshRequest, refreshSource } from './refresh.js';
import { readSchedule } from './schedule.js';
import { SourceTask } from './source-task.js';
import { watchFile } from './watch.js';

type Options = {
  readonly store: Store;
  readonly log: Log;
  /** In the order in which they are published. */
  readonly sources: readonly GivenSource[];
  /** Sent when a list is fetched. */
  readonly userAgent: string;
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
  previewRule(rule: Omit<Rule, 'id' | 'version'>): Promise<RulePreview>;
  /** Sources were added, changed or removed. */
  sourcesChanged(): Promise<void>;
}

/** Milliseconds that a start waits for a first refresh. */
const patience = { url: 5_000, file: 60_000, inline: 60_000 };

export function createPlaylists({ store, log, sources, userAgent }: Options): Playlists {
  const stopping = new AbortController();
  const listeners = new Set<(event: CatalogueEvent) => void>();
  const tell = (event: CatalogueEvent) => {
    for (const listener of listeners) listener(event);
  };
  /** By id of the source. */
  const tasks = new Map<number, Task>();

  let lastImport: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastImport.then(work);
    lastImport = turn.catch(() => undefined);
    return turn;
  };
  const run = async (request: RefreshRequest) => {
    const refreshed = await refreshSource(request, { store, log, userAgent, signal: stopping.signal, inTurn });
    if (stopping.signal.aborted || request.dryRun === true) return refreshed;
    const hasExpired = await store.sources.expireMissing();
    tell({ type: 'source', id: request.source });
    if (refreshed.state === 'published' || hasExpired) {
      tell({ type: 'catalogue', generation: await store.channels.generation() });
    }
    return refreshed;
  };
  /** Makes tasks of the sources that have none, and of those that are fetched in another way now; ends those that are gone. */
  const settle = async () => {
    const rows = await store.sources.active();
    const active = new Map(rows.map((row) => [row.id, row]));
    const ended = [...tasks].filter(([id, task]) => !sameTask(task.row, active.get(id)));
    for (const [id] of ended) tasks.delete(id);
    await Promise.all(ended.map(([, task]) => task.end()));
    const begun = rows.filter(({ id }) => !tasks.has(id)).map((row) => new Task(row, { store, log, run }));
    for (const task of begun) tasks.set(task.row.id, task);
    return begun;
  };
  const job = async (kind: Job['kind'], subject: number | null, work: () => Promise<unknown>): Promise<Job> => {
    const created = await store.jobs.create({ kind, subject });
    tell({ type: 'job', job: created });
    const finish = async () => {
      const ended = await store.jobs.finish(created.id, work);
      if (!stopping.signal.aborted) tell({ type: 'job', job: ended });
    };
    working.add(finish().catch((error: unknown) => log.error({ error: messageOf(error) }, 'a job was not finished')));
    return created;
  };
  const working = new Set<Promise<void>>();
  const taskOf = (id: number): Task => {
    const task = tasks.get(id);
    if (task === undefined)
      throw new WeirError('not-found', 'There is no such source that is refreshed. Is it enabled?');
    return task;
  };
  return {
    async start() {
      await store.sources.give(distinct(sources));
      await store.snapshots.prune();
      await store.sources.expireMissing();
      const begun = await settle();
      await Promise.all(begun.map((task) => withPatience(task.refresh('start'), patience[task.row.kind])));
    },
    async refreshAll() {
      await Promise.all([...tasks.values()].map((task) => task.refresh('user')));
    },
    async stop() {
      stopping.abort();
      await Promise.all([...tasks.values()].map((task) => task.end()));
      await Promise.all(working);
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async refresh(id, { dryRun }) {
      const task = taskOf(id);
      return await job('refresh', id, async () =>
        resultOf(await (dryRun ? task.other({ cause: 'user', dryRun }) : task.refresh('user'))),
      );
    },
    async restore(id, snapshot) {
      const task = taskOf(id);
      const kept = (await store.refreshes.snapshots(id)).find((one) => one.id === snapshot);
      if (kept === undefined || !kept.kept) throw new WeirError('not-found', 'That snapshot is not kept.');
      const cause = kept.state === 'quarantined' ? 'accept' : 'rollback';
      return await job('refresh', id, async () => resultOf(await task.other({ cause, snapshot })));
    },
    async applyRules() {
      return await job('rules', null, async () => {
        for (const task of tasks.values()) resultOf(await task.other({ cause: 'rules' }));
        return null;
      });
    },
    previewRule: (rule) => previewRule(store, rule),
    async sourcesChanged() {
      for (const task of await settle()) void task.refresh('user');
      await store.snapshots.prune();
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

type TaskOptions = {
  readonly store: Store;
  readonly log: Log;
  readonly run: (request: RefreshRequest) => Promise<Refreshed>;
};

/** A source's refreshes, and the watch on its file. */
class Task extends SourceTask {
  readonly row: SourceRow;
  private readonly unwatch: () => void;

  constructor(row: SourceRow, { store, log, run }: TaskOptions) {
    const plan = readSchedule(row.schedule, { timeZone: row.time_zone, source: row.id });
    super({ source: row.id, plan, run, planned: (at) => store.sources.plan(row.id, at), log });
    this.row = row;
    const shown = { source: shownLocation(row.location) };
    const failed = (error: unknown) =>
      log.warn({ ...shown, reason: messageOf(error) }, 'cannot watch the file: it is read on schedule');
    this.unwatch =
      row.kind === 'file' ? watchFile(row.location, () => void this.refresh('file'), failed) : () => undefined;
  }

  async end(): Promise<void> {
    this.unwatch();
    await this.stop();
  }
}

/** Whether a task still does what its source asks for. */
function sameTask(was: SourceRow, is: SourceRow | undefined): boolean {
  const asked = ({
    location,
    content,
    schedule,
    headers,
    user_agent: agent,
    proxy,
    time_zone: zone,
    encoding,
    include_vod: vod,
  }: SourceRow) => JSON.stringify([location, content, schedule, headers, agent, proxy, zone, encoding, vod]);
  return is !== undefined && asked(was) === asked(is);
}

/** What a job keeps of a refresh; throws what made it fail. */
function resultOf(refreshed: Refreshed): unknown {
  if (refreshed.state === 'failed') throw new WeirError('upstream-refused', refreshed.reason);
  if (refreshed.state === 'planned') {
    const { summary, objection, changes } = refreshed;
    return { state: 'planned', objection, entries: summary.entries, counts: summary.changes, changes };
  }
  if (refreshed.state === 'published')
    return { state: 'published', entries: refreshed.summary.entries, counts: refreshed.summary.changes };
  return refreshed;
}

async function withPatience(work: Promise<unknown>, patience: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}
