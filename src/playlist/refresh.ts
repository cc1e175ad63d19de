import { Worker } from 'node:worker_threads';
import { messageOf, WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import { shownLocation } from '../model/source.js';
import type { Store } from '../store/open.js';
import type { SourceRow } from '../store/sources.js';
import { type Fetched, fetchList } from './fetch.js';
import type { Outcome } from './import-list.js';
import type { ImportJob, ImportReply } from './import-thread.js';

export type Refreshed =
  | { readonly state: 'published' | 'unchanged' | 'quarantined' }
  /** Seconds that the server asked to wait, or null. */
  | { readonly state: 'failed'; readonly retryAfter: number | null };

export type RefreshOptions = {
  readonly store: Store;
  readonly log: Log;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** Runs imports one after another: each takes a processor and the memory of a whole list. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
};

/**
 * Fetches the list of a source and publishes it when it is another one and can be trusted. Never throws: what goes wrong
 * is one line in the log and the source's reason, and the last good list stays in service.
 */
export async function refreshSource(id: number, options: RefreshOptions): Promise<Refreshed> {
  const { store, log, signal } = options;
  const source = await store.sources.byId(id);
  if (source === null) return { state: 'failed', retryAfter: null };
  const shown = shownLocation(source.location);
  try {
    await store.sources.setState(id, 'fetching');
    const fetched = await fetchList(source, options.userAgent, signal);
    if (fetched === null || fetched.hash === source.body_hash) {
      await store.sources.confirm(id);
      return { state: 'unchanged' };
    }
    const outcome = await options.inTurn(() => importInThread(source, fetched, options));
    report(outcome, shown, source.snapshot !== null, log);
    return { state: outcome.state };
  } catch (error) {
    if (signal.aborted) return { state: 'failed', retryAfter: null };
    const reason = messageOf(error);
    log.warn({ source: shown, reason }, `playlist not refreshed, ${whatStays(source.snapshot !== null)}`);
    await store.sources.setState(id, 'failed', reason);
    return { state: 'failed', retryAfter: error instanceof WeirError ? error.retryAfter : null };
  }
}

/** Reading and comparing a big list takes seconds: in a thread of its own nobody waits for it. */
function importInThread(source: SourceRow, fetched: Fetched, { store, signal }: RefreshOptions): Promise<Outcome> {
  signal.throwIfAborted();
  const port = store.connect();
  const workerData: ImportJob = { dir: store.dir, port, source: source.id, fetched };
  const transferList = [port, fetched.body.buffer];
  const thread = new Worker(new URL('./import-thread.js', import.meta.url), {
    workerData,
    transferList,
  });
  const abort = () => void thread.terminate();
  signal.addEventListener('abort', abort, { once: true });
  return new Promise<Outcome>((resolve, reject) => {
    thread.once('message', (reply: ImportReply) => {
      if ('outcome' in reply) resolve(reply.outcome);
      else reject(new WeirError('internal', reply.failure));
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new WeirError('unavailable', 'The import was broken off.')));
  }).finally(() => signal.removeEventListener('abort', abort));
}

function report(outcome: Outcome, source: string, hasGood: boolean, log: Log): void {
  if (outcome.state === 'quarantined') {
    log.warn({ source, reason: outcome.reason }, `playlist refused, ${whatStays(hasGood)}`);
    return;
  }
  const { channels, entries, skipped, problems, changes } = outcome.summary;
  const isNone = (counts: object) => Object.keys(counts).length === 0;
  const notes = { ...(isNone(skipped) ? {} : { skipped }), ...(isNone(problems) ? {} : { problems }) };
  log.info(
    { source, channels, entries, added: changes.added, removed: changes.removed, ...notes },
    'playlist published',
  );
}

function whatStays(hasGood: boolean): string {
  return hasGood ? 'the last good one stays' : 'there is none to fall back to';
}
