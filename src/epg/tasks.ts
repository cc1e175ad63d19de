import { messageOf, WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import { readSchedule } from '../lib/schedule.js';
import { SourceTask } from '../lib/source-task.js';
import { watchFile } from '../lib/watch.js';
import type { CatalogueEvent } from '../model/event.js';
import type { GuideSource } from '../model/guide.js';
import { shownLocation } from '../model/source.js';
import type { GuideCause, GuideStore } from '../store/guide/contract.js';
import type { Store } from '../store/open.js';
import type { BodyFiles } from './body-files.js';
import type { Outcome } from './import-guide.js';
import { type Refreshed, type RefreshRequest, refreshGuide } from './refresh.js';

type Options = {
  readonly store: Store;
  readonly guideStore: GuideStore;
  readonly bodies: BodyFiles;
  readonly ownPorts: readonly number[];
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly tell: (event: CatalogueEvent) => void;
  /** A guide is in service. */
  readonly published: (cause: GuideCause) => void;
};

/** The guide sources that are refreshed, each with its task. */
export interface Tasks {
  /**
   * Begins those that have none yet, or are fetched or read in another way now; ends those that are gone, in the middle of
   * what they do. Resolves with the begun.
   */
  settle(): Promise<Task[]>;
  all(): Task[];
  /** The one that took the place of another, or null. */
  after(task: Task): Task | null;
  /** @throws WeirError `not-found` for a guide source that is not refreshed. */
  byId(id: number): Task;
}

export function createTasks({ store, guideStore, signal, tell, published, ...options }: Options): Tasks {
  /** By id of the guide source. */
  const tasks = new Map<number, Task>();
  const run = async (request: RefreshRequest, own: AbortSignal) => {
    const either = AbortSignal.any([signal, own]);
    const inService = () => published(request.cause);
    const parts = { ...options, store, guideStore, signal: either, published: inService };
    const refreshed = await refreshGuide(request, parts);
    if (!either.aborted) tell({ type: 'guide-source', id: request.source });
    return refreshed;
  };
  return {
    async settle() {
      const sources = (await store.guideHouse.sources()).filter(isActive);
      const active = new Map(sources.map((source) => [source.id, source]));
      const ended = [...tasks].filter(([id, { source }]) => !isSame(source, active.get(id)));
      for (const [id] of ended) tasks.delete(id);
      const fresh = sources.filter(({ id }) => !tasks.has(id));
      const begun = fresh.map((source) => new Task(source, { guideStore, log: options.log, run }));
      // Whoever waits for one that ends finds the one that follows it.
      for (const task of begun) tasks.set(task.source.id, task);
      await Promise.all(ended.map(([, task]) => task.end()));
      for (const [id] of ended) if (!active.has(id)) await guideStore.feeds.plan(id, null);
      return begun;
    },
    all: () => [...tasks.values()],
    after(task) {
      const now = tasks.get(task.source.id);
      return now === undefined || now === task ? null : now;
    },
    byId(id) {
      const task = tasks.get(id);
      if (task === undefined)
        throw new WeirError('not-found', `Guide source ${id} is not refreshed: it does not exist, or is not enabled.`);
      return task;
    },
  };
}

type Other = Omit<RefreshRequest, 'source'>;
type TaskOptions = {
  readonly guideStore: GuideStore;
  readonly log: Log;
  readonly run: (request: RefreshRequest, signal: AbortSignal) => Promise<Refreshed>;
};

/** How often a guide is refreshed whose source does not say. */
const usual = '6h';

/** A guide source's refreshes, and the watch on its file. */
export class Task extends SourceTask<GuideCause, Other, Outcome> {
  readonly source: GuideSource;
  private readonly unwatch: () => void;

  constructor(source: GuideSource, { guideStore, log, run }: TaskOptions) {
    const { id, schedule, timeZone, kind, location } = source;
    const request = (what: GuideCause | Other) => ({
      source: id,
      ...(typeof what === 'string' ? { cause: what } : what),
    });
    super({
      ...{ plan: readSchedule(schedule ?? usual, { timeZone, source: id }), scheduled: 'schedule', log },
      failure: 'guide not refreshed',
      run: (what, own) => run(request(what), own),
      planned: (at) => guideStore.feeds.plan(id, at),
    });
    this.source = source;
    const shown = { guide: shownLocation(location) };
    const failed = (error: unknown) =>
      log.warn({ ...shown, reason: messageOf(error) }, 'cannot watch the file: it is read on schedule');
    this.unwatch = kind === 'file' ? watchFile(location, () => void this.refresh('file'), failed) : () => undefined;
  }

  async end(): Promise<void> {
    this.unwatch();
    await this.stop();
  }
}

function isActive({ enabled, missingSince }: GuideSource): boolean {
  return enabled && missingSince === null;
}

/** Whether a task still does what its source asks for. A shift is added when programmes are shown. */
function isSame(was: GuideSource, is: GuideSource | undefined): boolean {
  const asked = ({ location, schedule, headers, userAgent, proxy, timeZone, encoding, origin, lists }: GuideSource) =>
    JSON.stringify([location, schedule, headers, userAgent, proxy, timeZone, encoding, origin, lists]);
  return is !== undefined && asked(was) === asked(is);
}
