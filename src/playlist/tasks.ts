import { messageOf, WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import { readSchedule } from '../lib/schedule.js';
import { SourceTask } from '../lib/source-task.js';
import { watchFile } from '../lib/watch.js';
import type { CatalogueEvent } from '../model/event.js';
import type { RefreshCause } from '../model/refresh.js';
import { shownLocation } from '../model/source.js';
import type { Store } from '../store/open.js';
import type { SourceRow } from '../store/sources.js';
import { type Refreshed, type RefreshRequest, refreshSource } from './refresh.js';

type Options = {
  readonly store: Store;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly tell: (event: CatalogueEvent) => void;
};

/** The sources that are refreshed, each with its task. */
export interface Tasks {
  /**
   * Begins those that have none yet, or are fetched in another way now; ends those that are gone, in the middle of what they
   * do. Resolves with the begun.
   */
  settle(): Promise<Task[]>;
  all(): Task[];
  /** Makes the listing of a source anew, also of one that is not refreshed any more. */
  restage(id: number): Promise<Refreshed>;
  /** The one that took the place of another, or null. */
  after(task: Task): Task | null;
  /** @throws WeirError `not-found` for a source that is not refreshed. */
  byId(id: number): Task;
}

export function createTasks({ store, log, signal, tell }: Options): Tasks {
  /** By id of the source. */
  const tasks = new Map<number, Task>();
  let lastImport: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastImport.then(work);
    lastImport = turn.catch(() => undefined);
    return turn;
  };
  const changed = async () => tell({ type: 'catalogue', generation: await store.channels.generation() });
  const published = () => {
    const failed = (error: unknown) => log.error({ error: messageOf(error) }, 'nobody was told of a new list');
    if (!signal.aborted) changed().catch(failed);
  };
  const run = async (request: RefreshRequest, own: AbortSignal) => {
    const either = AbortSignal.any([signal, own]);
    const refreshed = await refreshSource(request, { store, log, signal: either, inTurn, published });
    if (either.aborted || request.dryRun === true) return refreshed;
    const hasExpired = await store.sources.expireMissing();
    tell({ type: 'source', id: request.source });
    if (hasExpired) await changed();
    return refreshed;
  };
  return {
    async settle() {
      const rows = await store.sources.active();
      const active = new Map(rows.map((row) => [row.id, row]));
      const ended = [...tasks].filter(([id, { row }]) => !isSame(row, active.get(id)));
      for (const [id] of ended) tasks.delete(id);
      const begun = rows.filter(({ id }) => !tasks.has(id)).map((row) => new Task(row, { store, log, run }));
      // Whoever waits for one that ends finds the one that follows it.
      for (const task of begun) tasks.set(task.row.id, task);
      await Promise.all(ended.map(([, task]) => task.end()));
      for (const [id] of ended) if (!active.has(id)) await store.sources.rest(id);
      return begun;
    },
    all: () => [...tasks.values()],
    restage: (id) => tasks.get(id)?.other({ cause: 'rules' }) ?? run({ source: id, cause: 'rules' }, signal),
    after(task) {
      const now = tasks.get(task.row.id);
      return now === undefined || now === task ? null : now;
    },
    byId(id) {
      const task = tasks.get(id);
      if (task === undefined)
        throw new WeirError('not-found', `Source ${id} is not refreshed: it does not exist, or is not enabled.`);
      return task;
    },
  };
}

type TaskOptions = {
  readonly store: Store;
  readonly log: Log;
  readonly run: (request: RefreshRequest, signal: AbortSignal) => Promise<Refreshed>;
};

type Other = Omit<RefreshRequest, 'source'>;

/** A source's refreshes, and the watch on its file. */
export class Task extends SourceTask<RefreshCause, Other, Refreshed> {
  readonly row: SourceRow;
  private readonly unwatch: () => void;

  constructor(row: SourceRow, { store, log, run }: TaskOptions) {
    const plan = readSchedule(row.schedule, { timeZone: row.time_zone, source: row.id });
    const request = (what: RefreshCause | Other) => ({
      source: row.id,
      ...(typeof what === 'string' ? { cause: what } : what),
    });
    super({
      ...{ plan, scheduled: 'schedule', log, failure: 'playlist not refreshed' },
      run: (what, own) => run(request(what), own),
      planned: (at) => store.sources.plan(row.id, at),
    });
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
function isSame(was: SourceRow, is: SourceRow | undefined): boolean {
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
