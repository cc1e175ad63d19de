import type { MessagePort } from 'node:worker_threads';
import { now as clock } from '../lib/clock.js';
import { WeirError } from '../lib/errors.js';
import type { GuideCounts, GuideSource } from '../model/guide.js';
import type { BodyRef, FeedRow, GuideCause, GuideParts } from '../store/guide/contract.js';
import type { GuideHouse } from '../store/guide-house.js';
import { Body } from './body.js';
import { InFlight } from './in-flight.js';
import { Airings } from './known.js';
import { listChannels } from './list-channels.js';
import { mannerOf } from './manner.js';
import { endOf, type Target } from './pass.js';
import { refusal } from './read/refuse.js';
import { type ReadGuide, readBody } from './read-body.js';
import { objectionTo, type Summary, summarise } from './validate.js';
import { type Wanted, wantedOf } from './wanted.js';

/** A kept body to be read, wholly or only for what is newly linked. */
export type GuideTask = {
  readonly source: number;
  readonly cause: GuideCause;
  /** Epoch seconds. */
  readonly startedAt: number;
  /** Null is the one in service, of which what is newly wanted is read. */
  readonly body: (BodyRef & { readonly file: string }) | null;
  /** Whether a guide that lacks much is quarantined. */
  readonly guarded: boolean;
};

export type Outcome =
  | { readonly state: 'published'; readonly counts: GuideCounts }
  | { readonly state: 'quarantined'; readonly reason: string }
  /** Nothing is wanted that is not there. */
  | { readonly state: 'unchanged' };

export type Parts = {
  readonly dir: string;
  readonly house: GuideHouse;
  readonly guide: GuideParts;
  /** Connections of the parse threads to the guide writer. */
  readonly ports: readonly MessagePort[];
};

/** One import under way. */
type Import = {
  readonly parts: Parts;
  readonly task: GuideTask;
  readonly source: GuideSource;
  readonly service: FeedRow['service'];
  readonly wanted: ReadonlyMap<string, Wanted>;
  /** Epoch seconds. */
  readonly now: number;
};
/** What a pass reads, and what stays beside. */
type Scope = {
  readonly isBackFill: boolean;
  readonly body: BodyRef & { readonly file: string };
  readonly targets: ReadonlyMap<string, Target>;
  /** Numbers of all guide channels that are kept afterwards. */
  readonly kept: readonly number[];
};

/** Guide channels whose airings are asked for at once, and rows that are written at once. */
const channelsAtOnce = 200;
const removalsAtOnce = 2000;
const noChange = { unchanged: 0, reused: 0, parsed: 0, removed: 0, lost: 0 };

/**
 * Reads a body, stages what is new in it, and puts it in service in one step. What should not be published is quarantined, and
 * the guide in service stays.
 */
export async function importGuide(parts: Parts, task: GuideTask): Promise<Outcome> {
  const source = await parts.house.source(task.source);
  if (source === null) throw new WeirError('not-found', 'The guide source was removed.');
  const service = (await parts.guide.feeds.byId(source.id))?.service ?? null;
  const wanted = wantedOf(parts.house).get(source.id) ?? new Map<string, Wanted>();
  const run = { parts, task, source, service, wanted, now: clock() };
  const scope = await scopeOf(run);
  if (scope === null) return { state: 'unchanged' };
  const body = new Body(parts.dir, scope.body.file);
  const head = await body.head();
  const refused = body.isEmpty && body.fault !== null ? body.fault : refusal(head);
  if (refused !== null) return await refuse(run, refused);
  return await take(run, scope, body);
}

/** Null when nothing is wanted that is not kept already. */
async function scopeOf({ parts, task, source, service, wanted, now }: Import): Promise<Scope | null> {
  const { stage, channels } = parts.guide;
  const body = task.body ?? kept(service?.body ?? null);
  if (body === null) return null;
  const isBackFill = task.body === null && service?.manner === mannerOf(source);
  const keys = [...wanted].map(([key, { guideId }]) => ({ key, guideId }));
  const numbers = await stage.channelIds(source.id, keys);
  const had = new Set(isBackFill ? channels.kept(source.id) : []);
  const targets = new Map<string, Target>();
  for (const [index, [key, { keep }]] of [...wanted].entries()) {
    const channel = numbers[index] ?? 0;
    if (!had.has(channel)) targets.set(key, { channel, since: now - keep });
  }
  if (isBackFill && targets.size === 0) return null;
  return { isBackFill, body, targets, kept: numbers };
}

function kept(body: BodyRef | null): (BodyRef & { readonly file: string }) | null {
  return body === null || body.file === null ? null : { ...body, file: body.file };
}

/** What is no guide at all is not worth keeping: nobody could accept it. */
async function refuse({ parts, task, source }: Import, reason: string): Promise<Outcome> {
  const { stage } = parts.guide;
  const body = { hash: '', etag: null, lastModified: null, ...task.body, file: null };
  const { snapshot } = await stage.begin({ source: source.id, listing: null, body });
  const counts = { ...noChange, channels: 0, programmes: 0, first: null, last: null, wanted: 0, problems: {} };
  const { cause, startedAt } = task;
  await stage.quarantine({ source: source.id, cause, startedAt, snapshot, reason, counts });
  return { state: 'quarantined', reason };
}

async function take(run: Import, scope: Scope, body: Body): Promise<Outcome> {
  const { parts, task, source, service } = run;
  const { stage, feeds } = parts.guide;
  const listing = scope.isBackFill ? (service?.listing ?? null) : null;
  await feeds.setState(source.id, 'staging');
  const { snapshot, nextText } = await stage.begin({ source: source.id, listing, body: scope.body });
  try {
    const known = new Airings([...knownOf(run, scope)]);
    const { targets } = scope;
    const guide = await readBody(body, {
      ...run,
      ...parts,
      snapshot,
      nextText,
      targets,
      known,
      lists: !scope.isBackFill,
    });
    const listed = scope.isBackFill ? 0 : await listChannels(stage, { source: source.id, snapshot }, guide);
    const removed = await stageRemovals(run, scope, { snapshot, known, guide });
    const counts = scope.isBackFill ? backFilled(service, guide) : countsOf(guide, listed, removed);
    await feeds.setState(source.id, 'validating');
    const reason = task.guarded && !scope.isBackFill ? objection(run, guide) : null;
    const ended = { source: source.id, cause: task.cause, startedAt: task.startedAt, snapshot, counts };
    if (reason !== null) {
      await stage.quarantine({ ...ended, reason });
      return { state: 'quarantined', reason };
    }
    await stage.publish({ ...ended, kept: scope.kept, manner: mannerOf(source) });
    return { state: 'published', counts };
  } catch (error) {
    await stage.abandon(snapshot);
    throw error;
  }
}

/** Airings in service of what is read; and of all that is kept, whose contents may come again. */
function* knownOf({ parts, source }: Import, { targets }: Scope) {
  const { guide } = parts;
  const channels = new Set(guide.channels.kept(source.id));
  for (const { channel } of targets.values()) channels.add(channel);
  const all = [...channels];
  for (let at = 0; at < all.length; at += channelsAtOnce)
    yield guide.known(source.id, all.slice(at, at + channelsAtOnce));
}

/**
 * Takes out what the guide does not say any more: of a channel, from the first programme on that it has there; of one that it
 * lacks, what is still to come. What lies before is history, and stays. Resolves with how many there are.
 */
async function stageRemovals(
  { parts, now }: Import,
  { targets }: Scope,
  { snapshot, known, guide }: { readonly snapshot: number; readonly known: Airings; readonly guide: ReadGuide },
): Promise<number> {
  const firsts = new Map(guide.stats.channels.map(({ key, first }) => [key, first]));
  const bounds = new Map<number, { readonly since: number; readonly from: number }>();
  for (const [key, { channel, since }] of targets) bounds.set(channel, { since, from: firsts.get(key) ?? now });
  const gone = known.unseen((channel, start, stop) => {
    const bound = bounds.get(channel);
    return bound !== undefined && start >= bound.from && endOf(start, stop) > bound.since;
  });
  const sent = new InFlight(4);
  for (let at = 0; at < gone.length; at += removalsAtOnce * 5)
    await sent.add(parts.guide.stage.removals(snapshot, gone.slice(at, at + removalsAtOnce * 5)));
  await sent.end();
  return gone.length / 5;
}

function countsOf(guide: ReadGuide, channels: number, removed: number): GuideCounts {
  const { first, last } = span(guide);
  return { channels, programmes: guide.stats.programmes, first, last, ...guide.counts, removed };
}

/** What a back-fill adds to the guide that it completes. */
function backFilled(service: FeedRow['service'], { counts }: ReadGuide): GuideCounts {
  const before = service?.counts ?? { channels: 0, programmes: 0, first: null, last: null, wanted: 0, problems: {} };
  const { wanted, reused, parsed, lost } = counts;
  return { ...before, ...noChange, reused, parsed, lost, wanted: before.wanted + wanted };
}

function span({ stats }: ReadGuide): { first: number | null; last: number | null } {
  let first: number | null = null;
  let last: number | null = null;
  for (const one of stats.channels) {
    if (one.first !== null) first = Math.min(first ?? one.first, one.first);
    if (one.last !== null) last = Math.max(last ?? one.last, one.last);
  }
  return { first, last };
}

function objection({ parts, source, service, wanted, now }: Import, { stats, cutOff }: ReadGuide): string | null {
  const linked = ({
    key,
    ...facts
  }: {
    key: string;
    programmes: number;
    first: number | null;
    last: number | null;
  }) => ({
    ...facts,
    isLinked: wanted.has(key),
  });
  const summary = summarise(stats.channels.map(linked), now);
  const previous = service === null ? null : previousOf();
  const { programmes, median } = stats;
  return objectionTo({ summary, programmes, median, cutOff }, { previous, linked: wanted.size, now });

  function previousOf(): Summary {
    const facts = [...parts.guide.channels.facts(source.id)];
    return summarise(
      facts.map(({ guideKey: key, programmes, first, last }) => linked({ key, programmes, first, last })),
      now,
    );
  }
}
