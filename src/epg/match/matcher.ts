import { Worker } from 'node:worker_threads';
import { WeirError } from '../../lib/errors.js';
import { trimMemory } from '../../lib/native.js';
import type { Store } from '../../store/open.js';
import type { Match } from '../matching.js';
import type { MatchJob, MatchReply } from './match-thread.js';
import type { MatchRun } from './run.js';

/** Links channels to guides in a thread of its own: 100,000 channels take seconds. */
export function createMatcher(store: Store): Match {
  return async ({ signal, progress }) => {
    signal.throwIfAborted();
    const port = store.connect();
    const workerData: MatchJob = { dir: store.dir, port };
    const thread = new Worker(new URL('./match-thread.js', import.meta.url), { workerData, transferList: [port] });
    const abort = () => void thread.terminate();
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await outcomeOf(thread, progress);
    } finally {
      signal.removeEventListener('abort', abort);
      trimMemory();
    }
  };
}

function outcomeOf(thread: Worker, progress: (share: number) => Promise<void>): Promise<MatchRun> {
  return new Promise((resolve, reject) => {
    let told: Promise<void> = Promise.resolve();
    thread.on('message', (reply: MatchReply) => {
      if ('progress' in reply) told = told.then(() => progress(reply.progress));
      else if ('run' in reply) void told.then(() => resolve(reply.run), reject);
      else reject(new WeirError(reply.failure.code, reply.failure.message));
    });
    thread.once('error', reject);
    thread.once('exit', () => void told.finally(() => reject(new WeirError('unavailable', 'It was broken off.'))));
  });
}
