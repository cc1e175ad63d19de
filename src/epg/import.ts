import { Worker } from 'node:worker_threads';
import { WeirError } from '../lib/errors.js';
import { trimMemory } from '../lib/native.js';
import type { GuideStore } from '../store/guide/contract.js';
import type { Store } from '../store/open.js';
import type { GuideTask, Outcome } from './import-guide.js';
import type { ImportJob, ImportReply } from './import-thread.js';

type Options = {
  readonly store: Store;
  readonly guideStore: GuideStore;
  readonly signal: AbortSignal;
};

/** MB of objects that a pass makes before the dead ones are looked for: few, for with each goes a large piece of the guide. */
const young = 4;

export type Imported = {
  readonly outcome: Outcome | null;
  /** Seconds that past programmes are kept, by guide channel. */
  readonly keep: ReadonlyMap<number, number>;
  /** Guide sources that have channels linked whose programmes are not kept yet. */
  readonly wanting: ReadonlySet<number>;
};

/**
 * Reads a body in a thread of its own: it takes a processor for seconds. Without a task it is only said what is wanted.
 * @throws WeirError what went wrong; nothing is seen of a pass that did not come to its end.
 */
export async function importInThread(task: GuideTask | null, options: Options): Promise<Imported> {
  const { signal } = options;
  signal.throwIfAborted();
  const thread = startThread(task, options);
  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  const abort = () => void thread.terminate();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await answerOf(thread);
  } finally {
    signal.removeEventListener('abort', abort);
    // The next pass must not begin beside this one.
    await exited;
    trimMemory();
  }
}

function startThread(task: GuideTask | null, { store, guideStore }: Options): Worker {
  const parsePorts = task === null ? [] : [guideStore.connect(), guideStore.connect()];
  const [port, guidePort] = [store.connect(), guideStore.connect()];
  const workerData: ImportJob = { dir: store.dir, port, guidePort, parsePorts, task };
  return new Worker(new URL('./import-thread.js', import.meta.url), {
    workerData,
    transferList: [port, guidePort, ...parsePorts],
    resourceLimits: { maxYoungGenerationSizeMb: young },
  });
}

function answerOf(thread: Worker): Promise<Imported> {
  return new Promise<Imported>((resolve, reject) => {
    thread.on('message', (reply: ImportReply) => {
      if ('failure' in reply) reject(new WeirError(reply.failure.code, reply.failure.message));
      else resolve({ outcome: reply.outcome, keep: mapOf(reply.keep), wanting: new Set(reply.wanting) });
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new WeirError('unavailable', 'The import was broken off.')));
  });
}

function mapOf(pairs: Float64Array): Map<number, number> {
  const map = new Map<number, number>();
  for (let at = 0; at < pairs.length; at += 2) map.set(pairs[at] ?? 0, pairs[at + 1] ?? 0);
  return map;
}
