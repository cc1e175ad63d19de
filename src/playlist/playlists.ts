import { resolve } from 'node:path';
import { messageOf } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import { type GivenSource, shownLocation, sourceKind } from '../model/source.js';
import type { Store } from '../store/open.js';
import { type Refreshed, refreshSource } from './refresh.js';
import { watchFile } from './watch.js';

type Options = {
  readonly store: Store;
  readonly log: Log;
  /** In the order in which they are published. */
  readonly sources: readonly GivenSource[];
  /** Sent when a list is fetched. */
  readonly userAgent: string;
};

/** Keeps the lists that are given fresh. */
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
  /** Calls back when the published channels may have changed. Returns what ends that. */
  onPublished(listener: () => void): () => void;
}

/** Milliseconds that a start waits for a first refresh. */
const patience = { url: 5_000, file: 60_000 };
/** Milliseconds between refreshes, and after the first failure. */
const interval = 3_600_000;
const firstRetry = 60_000;

export function createPlaylists({ store, log, sources, userAgent }: Options): Playlists {
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  const undo: (() => void)[] = [];
  let tasks: SourceTask[] = [];

  let lastImport: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastImport.then(work);
    lastImport = turn.catch(() => undefined);
    return turn;
  };
  const published = () => {
    for (const listener of listeners) listener();
  };
  const refresh = async (id: number) => {
    const refreshed = await refreshSource(id, { store, log, userAgent, signal: stopping.signal, inTurn });
    const hasExpired = !stopping.signal.aborted && (await store.sources.expireMissing());
    if (refreshed.state === 'published' || hasExpired) published();
    return refreshed;
  };
  const refreshAll = async () => {
    await Promise.all(tasks.map((task) => task.refresh()));
  };
  return {
    async start() {
      const given = distinct(sources);
      const locations = given.map(({ location }) => location);
      const ids = await store.sources.give(given);
      await store.snapshots.prune();
      await store.sources.expireMissing();
      tasks = ids.map((id) => new SourceTask(() => refresh(id), log));
      for (const [index, location] of locations.entries()) {
        if (sourceKind(location) === 'url') continue;
        const failed = (error: unknown) =>
          log.warn(
            { source: shownLocation(location), reason: messageOf(error) },
            'cannot watch the file: it is read hourly',
          );
        undo.push(watchFile(location, () => void tasks[index]?.refresh(), failed));
      }
      await Promise.all(
        tasks.map((task, index) => withPatience(task.refresh(), patience[sourceKind(locations[index] ?? '')])),
      );
    },
    refreshAll,
    async stop() {
      stopping.abort();
      for (const end of undo.splice(0)) end();
      await Promise.all(tasks.map((task) => task.stop()));
    },
    onPublished(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Each once, a path in full; of one that is given again, the last counts. */
function distinct(sources: readonly GivenSource[]): GivenSource[] {
  const full = ({ location }: GivenSource) => (sourceKind(location) === 'file' ? resolve(location) : location);
  const byLocation = new Map(sources.map((source) => [full(source), source]));
  return [...byLocation].map(([location, source]) => ({ ...source, location }));
}

/** One source: refreshed on demand and on time, never twice at once. */
class SourceTask {
  private readonly run: () => Promise<Refreshed>;
  private readonly log: Log;
  private running: Promise<void> | null = null;
  /** Asked for while one runs: what that one fetched may be older already. */
  private next: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private stopped = false;

  constructor(run: () => Promise<Refreshed>, log: Log) {
    this.run = run;
    this.log = log;
  }

  refresh(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    if (this.running === null) {
      this.running = this.once().finally(() => {
        this.running = null;
      });
      return this.running;
    }
    this.next ??= this.running.then(() => {
      this.next = null;
      return this.refresh();
    });
    return this.next;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async once(): Promise<void> {
    clearTimeout(this.timer);
    let refreshed: Refreshed = { state: 'failed', retryAfter: null };
    try {
      refreshed = await this.run();
    } catch (error) {
      this.log.error({ error: messageOf(error) }, 'playlist not refreshed');
    }
    if (this.stopped) return;
    this.failures = refreshed.state === 'failed' ? this.failures + 1 : 0;
    const asked = refreshed.state === 'failed' ? refreshed.retryAfter : null;
    this.timer = setTimeout(() => void this.refresh(), delayUntilNext(this.failures, asked)).unref();
  }
}

/** Milliseconds: an hour, after failures a minute, two, four …, never less than the server asked for; all ± 10 %. */
function delayUntilNext(failures: number, retryAfter: number | null): number {
  const backOff = failures === 0 ? interval : Math.min(interval, firstRetry * 2 ** (failures - 1));
  const asked = Math.min(retryAfter ?? 0, 24 * 3600) * 1000;
  return Math.max(asked, backOff * (0.9 + Math.random() * 0.2));
}

async function withPatience(work: Promise<void>, patience: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}
