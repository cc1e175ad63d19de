import { existsSync } from 'node:fs';
import { now } from '../lib/clock.js';
import { messageOf, WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import type { Failed } from '../lib/source-task.js';
import type { GuideSource } from '../model/guide.js';
import { shownLocation } from '../model/source.js';
import type { FeedRow, GuideCause, GuideStore } from '../store/guide/contract.js';
import type { Store } from '../store/open.js';
import type { BodyFiles } from './body-files.js';
import { type FetchedBody, fetchGuide } from './fetch.js';
import { importInThread } from './import.js';
import type { GuideTask, Outcome } from './import-guide.js';
import { mannerOf } from './manner.js';
import { mannersOf } from './manners.js';

export type Refreshed = Outcome | Failed;

export type RefreshOptions = {
  readonly store: Store;
  readonly guideStore: GuideStore;
  readonly bodies: BodyFiles;
  readonly ownPorts: readonly number[];
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Runs passes one after another: each takes a processor and the memory of a parser. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Is told that a guide is in service, before what is of no use any more is dropped. */
  readonly published: () => void;
};

export type RefreshRequest = {
  readonly source: number;
  /** `links` reads what is newly linked from the kept body. */
  readonly cause: GuideCause;
  /** The quarantined snapshot to take after all, instead of fetching. */
  readonly snapshot?: number;
};

/**
 * Brings the guide of a source into service, when it is another one and can be trusted. Never throws: what goes wrong is one
 * line in the log and the source's reason, and the last good guide stays in service.
 */
export async function refreshGuide(request: RefreshRequest, options: RefreshOptions): Promise<Refreshed> {
  const { store, guideStore, signal, log } = options;
  const source = await store.guideHouse.source(request.source);
  if (source === null) return { state: 'failed', reason: 'The guide source was removed.', retryAfter: null };
  const feed = await guideStore.feeds.byId(source.id);
  const startedAt = now();
  try {
    const refreshed = await attempt({ source, feed, request, startedAt }, options);
    report(refreshed, { source, feed, request }, log);
    return refreshed;
  } catch (error) {
    const reason = messageOf(error);
    if (signal.aborted) await rest(source.id, feed, guideStore);
    else await noteFailure({ source, feed, request, startedAt }, reason, options);
    return { state: 'failed', reason, retryAfter: error instanceof WeirError ? error.retryAfter : null };
  }
}

type Attempt = {
  readonly source: GuideSource;
  readonly feed: FeedRow | null;
  readonly request: RefreshRequest;
  readonly startedAt: number;
};

async function attempt(attempt: Attempt, options: RefreshOptions): Promise<Refreshed> {
  const { source, feed, request, startedAt } = attempt;
  const task = { source: source.id, cause: request.cause, startedAt };
  if (request.cause === 'links') return await take({ ...task, body: null, guarded: false }, options);
  if (request.snapshot !== undefined)
    return await take({ ...task, body: waitingBody(feed, request.snapshot), guarded: false }, options);
  const fetched = await fetchNew(attempt, options);
  if (fetched === null) return { state: 'unchanged' };
  try {
    return await take({ ...task, body: fetched, guarded: true }, options);
  } finally {
    options.bodies.letGo(fetched.file);
  }
}

/** Null when the guide in service is the newest still. */
async function fetchNew({ source, feed }: Attempt, options: RefreshOptions): Promise<FetchedBody | null> {
  const { store, guideStore, bodies, signal, ownPorts } = options;
  await guideStore.feeds.setState(source.id, 'fetching');
  const service = feed?.service ?? null;
  const isKept = service !== null && service.body.file !== null && existsSync(bodies.path(service.body.file));
  const copy = isKept && service.manner === mannerOf(source) ? service.body : null;
  const manners = await mannersOf(source, store.sources);
  const fetched = await fetchGuide(source, { signal, bodies, manners, ownPorts, copy });
  if (fetched !== null && fetched.hash !== copy?.hash) return fetched;
  if (fetched === null) await guideStore.feeds.confirm(source.id);
  else await guideStore.feeds.confirm(source.id, { etag: fetched.etag, lastModified: fetched.lastModified });
  if (fetched !== null) bodies.letGo(fetched.file);
  await bodies.sweep(await guideStore.feeds.bodies());
  return null;
}

function waitingBody(feed: FeedRow | null, snapshot: number): FetchedBody {
  const waiting = feed?.waiting ?? null;
  if (waiting === null || waiting.snapshot !== snapshot || waiting.body.file === null)
    throw new WeirError('not-found', 'The body of that snapshot is not kept any more.');
  return { ...waiting.body, file: waiting.body.file };
}

/** Reads a body in its turn, and drops what nobody needs any more. */
async function take(task: GuideTask, { store, guideStore, bodies, signal, inTurn, published }: RefreshOptions) {
  return await inTurn(async (): Promise<Outcome> => {
    const { outcome, keep } = await importInThread(task, { store, guideStore, signal });
    if (outcome === null) throw new WeirError('internal', 'The import said nothing.');
    if (outcome.state === 'published') published();
    if (outcome.state !== 'unchanged') {
      await guideStore.prune(keep, now());
      await bodies.sweep(await guideStore.feeds.bodies());
    }
    return outcome;
  });
}

async function noteFailure(
  { source, feed, request, startedAt }: Attempt,
  reason: string,
  { guideStore, log }: RefreshOptions,
): Promise<void> {
  log.warn({ guide: shown(source), reason }, `guide not refreshed, ${whatStays(feed)}`);
  const { cause, snapshot } = request;
  if (cause === 'links' || snapshot !== undefined) await rest(source.id, feed, guideStore);
  else await guideStore.feeds.fail({ source: source.id, reason, cause, startedAt });
}

/** Sets back what stood there before. */
async function rest(source: number, feed: FeedRow | null, { feeds }: GuideStore): Promise<void> {
  await feeds.setState(source, feed?.state ?? 'idle', feed?.reason ?? null);
}

function report(refreshed: Refreshed, { source, feed, request }: Omit<Attempt, 'startedAt'>, log: Log): void {
  const guide = shown(source);
  if (refreshed.state === 'quarantined')
    log.warn({ guide, reason: refreshed.reason }, `guide refused, ${whatStays(feed)}`);
  if (refreshed.state !== 'published') return;
  const { channels, programmes, wanted, unchanged, parsed, removed, problems } = refreshed.counts;
  const notes = Object.keys(problems).length > 0 ? { problems } : {};
  const what = request.cause === 'links' ? 'guide completed' : 'guide published';
  log.info({ guide, channels, programmes, wanted, unchanged, parsed, removed, ...notes }, what);
}

function shown({ name, location }: GuideSource): string {
  return name ?? shownLocation(location);
}

function whatStays(feed: FeedRow | null): string {
  return feed?.service ? 'the last good one stays' : 'there is none to fall back to';
}
