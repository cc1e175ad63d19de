import { Worker } from 'node:worker_threads';
import { now } from '../lib/clock.js';
import { messageOf, WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import { trimMemory } from '../lib/native.js';
import type { RefreshCause } from '../model/refresh.js';
import { shownLocation } from '../model/source.js';
import type { Store } from '../store/open.js';
import type { SourceRow } from '../store/sources.js';
import { fetchList } from './fetch.js';
import type { ImportTask, Outcome } from './import-list.js';
import type { ImportJob, ImportReply } from './import-thread.js';

export type Refreshed =
  | Outcome
  | { readonly state: 'unchanged' }
  /** Seconds that the server asked to wait, or null. */
  | { readonly state: 'failed'; readonly reason: string; readonly retryAfter: number | null };

/** MB of objects that an import makes before the dead ones are looked for: the rows of a list are dead within milliseconds. */
const young = 96;

export type RefreshOptions = {
  readonly store: Store;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Runs imports one after another: each takes a processor and the memory of a whole list. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Is told that a list is in service, before everything is done that comes after it. */
  readonly published: () => void;
};

export type RefreshRequest = {
  readonly source: number;
  readonly cause: RefreshCause;
  readonly dryRun?: boolean;
  /** The kept snapshot to go back to, instead of fetching. */
  readonly snapshot?: number;
};

/**
 * Brings the list of a source into service, when it is another one and can be trusted. Never throws: what goes wrong is
 * one line in the log and the source's reason, and the last good list stays in service.
 */
export async function refreshSource(request: RefreshRequest, options: RefreshOptions): Promise<Refreshed> {
  const { store, signal } = options;
  const source = await store.sources.byId(request.source);
  if (source === null || source.state === 'removed')
    return { state: 'failed', reason: 'The source was removed.', retryAfter: null };
  const startedAt = now();
  try {
    const refreshed = await attempt(source, request, startedAt, options);
    report(refreshed, source, options.log);
    return refreshed;
  } catch (error) {
    const reason = messageOf(error);
    if (signal.aborted) return { state: 'failed', reason, retryAfter: null };
    await noteFailure(source, request, { reason, startedAt }, options);
    return { state: 'failed', reason, retryAfter: error instanceof WeirError ? error.retryAfter : null };
  }
}

async function attempt(
  source: SourceRow,
  request: RefreshRequest,
  startedAt: number,
  options: RefreshOptions,
): Promise<Refreshed> {
  const { store, signal, inTurn } = options;
  const { cause, dryRun = false, snapshot } = request;
  const task = { source: source.id, cause, startedAt, dryRun };
  if (cause === 'rules')
    return await inTurn(() => importInThread({ ...task, from: 'service', guarded: false }, options));
  if (snapshot !== undefined) {
    return await inTurn(() => importInThread({ ...task, from: { snapshot }, guarded: false }, options));
  }
  if (!dryRun) await store.sources.setState(source.id, 'fetching');
  const fetched = await fetchList(source, { signal, whole: dryRun });
  if (fetched === null || (fetched.hash === source.body_hash && !dryRun)) {
    await store.sources.confirm(source.id);
    return { state: 'unchanged' };
  }
  return await inTurn(() => importInThread({ ...task, from: { fetched }, guarded: true }, options));
}

async function noteFailure(
  source: SourceRow,
  { cause, dryRun, snapshot }: RefreshRequest,
  { reason, startedAt }: { reason: string; startedAt: number },
  { store, log }: RefreshOptions,
): Promise<void> {
  const shown = { source: source.name ?? shownLocation(source.location), reason };
  log.warn(shown, `playlist not refreshed, ${whatStays(source.snapshot !== null)}`);
  if (dryRun === true) return;
  if (snapshot === undefined && cause !== 'rules')
    await store.sources.fail({ id: source.id, reason, cause, startedAt });
  else await store.sources.setState(source.id, source.state);
}

/** Reading and comparing a big list takes seconds: in a thread of its own nobody waits for it. */
function importInThread(task: ImportTask, { store, signal, published }: RefreshOptions): Promise<Outcome> {
  signal.throwIfAborted();
  const port = store.connect();
  const workerData: ImportJob = { dir: store.dir, port, task };
  const body = typeof task.from === 'object' && 'fetched' in task.from ? [task.from.fetched.body.buffer] : [];
  const thread = new Worker(new URL('./import-thread.js', import.meta.url), {
    workerData,
    transferList: [port, ...body],
    resourceLimits: { maxYoungGenerationSizeMb: young },
  });
  const abort = () => void thread.terminate();
  signal.addEventListener('abort', abort, { once: true });
  return new Promise<Outcome>((resolve, reject) => {
    thread.on('message', (reply: ImportReply) => {
      if ('inService' in reply) published();
      else if ('outcome' in reply) resolve(reply.outcome);
      else reject(new WeirError(reply.failure.code, reply.failure.message));
    });
    thread.once('error', reject);
    thread.once('exit', () => {
      trimMemory();
      reject(new WeirError('unavailable', 'The import was broken off.'));
    });
  }).finally(() => signal.removeEventListener('abort', abort));
}

function report(refreshed: Refreshed, row: SourceRow, log: Log): void {
  const source = row.name ?? shownLocation(row.location);
  if (refreshed.state === 'quarantined') {
    log.warn({ source, reason: refreshed.reason }, `playlist refused, ${whatStays(row.snapshot !== null)}`);
    return;
  }
  if (refreshed.state !== 'published') return;
  const { summary, differences } = refreshed;
  const { channels, entries, skipped, kinds, problems, changes } = summary;
  const notes = Object.entries({ skipped, kinds, problems }).filter(([, counts]) => Object.keys(counts).length > 0);
  const counts = { channels, entries, added: changes.added, removed: changes.removed };
  const others = differences > 0 ? { differences } : {};
  log.info({ source, ...counts, ...Object.fromEntries(notes), ...others }, 'playlist published');
}

function whatStays(hasGood: boolean): string {
  return hasGood ? 'the last good one stays' : 'there is none to fall back to';
}
