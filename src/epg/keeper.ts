import { now } from '../lib/clock.js';
import { messageOf } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import type { GuideStore } from '../store/guide/contract.js';
import type { Store } from '../store/open.js';
import type { BodyFiles } from './body-files.js';
import { importInThread } from './import.js';

type Options = {
  readonly store: Store;
  readonly guideStore: GuideStore;
  readonly bodies: BodyFiles;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
};

/** Drops what nobody needs any more. */
export interface Keeper {
  /** Drops the programmes and bodies of guides that were removed, or have been missing for 7 days. */
  forget(): Promise<void>;
  /** The guide sources that have channels linked whose programmes are not kept yet. */
  wanting(): Promise<ReadonlySet<number>>;
  /** From now on once a day, with programmes that are past. */
  start(): void;
  stop(): void;
}

/** Milliseconds between two looks. */
const daily = 86_400_000;
/** Seconds. */
const missingFor = 7 * 86_400;

export function createKeeper({ store, guideStore, bodies, log, signal, inTurn }: Options): Keeper {
  let timer: NodeJS.Timeout | undefined;
  const forget = async () => {
    const sources = new Map((await store.guideHouse.sources()).map((source) => [source.id, source]));
    for (const { source: id } of await guideStore.feeds.all()) {
      const missing = sources.get(id)?.missingSince ?? null;
      if (!sources.has(id) || (missing !== null && missing < now() - missingFor)) await guideStore.feeds.forget(id);
    }
    await bodies.sweep(await guideStore.feeds.bodies());
  };
  const prune = async () => {
    const { keep } = await importInThread(null, { store, guideStore, signal });
    await guideStore.prune(keep, now());
  };
  const look = async () => {
    try {
      await forget();
      await inTurn(prune);
    } catch (error) {
      if (!signal.aborted) log.error({ error: messageOf(error) }, 'past programmes were not dropped');
    }
  };
  return {
    forget,
    wanting: () => inTurn(async () => (await importInThread(null, { store, guideStore, signal })).wanting),
    start() {
      timer = setInterval(() => void look(), daily).unref();
    },
    stop: () => clearInterval(timer),
  };
}
