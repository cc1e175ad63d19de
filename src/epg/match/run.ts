import { inChunks } from '../../lib/chunks.js';
import type { GuideChannels } from '../../store/guide/contract.js';
import type { GuideHouse, Matches } from '../../store/guide-house.js';
import { type Decision, decide } from './decide.js';
import { readStanding, type Standing } from './links.js';
import { relink } from './relink.js';
import { type GuideIndex, indexTargets } from './targets.js';
import { readWanted, SharedKeys } from './wanted.js';

/** What a run did, as its job keeps it: channels linked anew, in the queue, links that stay, that go, and that got another id. */
export type MatchCounts = { accepted: number; review: number; kept: number; dropped: number; relinked: number };
export type MatchRun = { readonly changed: boolean; readonly result: MatchCounts };

type Parts = { readonly house: GuideHouse; readonly channels: GuideChannels };

/** Channels whose decisions are written in one go. */
const chunk = 500;
/** Items of the queue that are read in one go. */
const page = 500;

/**
 * Links the shown channels to the guides, and puts those that it is not sure of into the queue. Links of users, and their
 * noes, stay as they are; a link whose guide gave its channel another id follows it. `progress` is told 0 to 1.
 */
export async function runMatching({ house, channels }: Parts, progress: (share: number) => void): Promise<MatchRun> {
  const counts: MatchCounts = { accepted: 0, review: 0, kept: 0, dropped: 0, relinked: 0 };
  const indexes = await readIndexes({ house, channels });
  const relinked = await follow(house, readStanding(house), indexes, counts);
  const queued = await queuedChannels(house);
  if (indexes.length === 0) return { changed: relinked || (await empty(house, queued)), result: counts };
  const shared = new SharedKeys();
  let total = 0;
  for await (const part of house.matchChannels()) {
    total += part.length;
    for (const channel of part) shared.add(readWanted(channel));
  }
  const standing = readStanding(house);
  const keys = shared.keys();
  let changed = relinked;
  let done = 0;
  for await (const part of house.matchChannels()) {
    for (let from = 0; from < part.length; from += chunk) {
      const some = part.slice(from, from + chunk);
      const decisions = some.map((channel) => decide(channel, indexes, standing, keys));
      const matches = matchesOf(
        decisions,
        some.map(({ channel }) => channel).filter((id) => queued.has(id)),
      );
      count(counts, decisions);
      if (isSomething(matches) && (await house.writeMatches(matches))) changed = true;
    }
    done += part.length;
    progress(total === 0 ? 1 : done / total);
  }
  return { changed, result: counts };
}

/** In the order in which the guides speak. */
async function readIndexes({ house, channels }: Parts): Promise<GuideIndex[]> {
  const sources = (await house.sources()).filter(({ enabled }) => enabled);
  return sources.map(({ id }) => indexTargets(id, targetsOf(channels, id))).filter(({ byKey }) => byKey.size > 0);
}

function* targetsOf(channels: GuideChannels, source: number) {
  for (const { guideId, names, near } of channels.facts(source)) {
    yield { guideId, names: names.map(({ text }) => text), near };
  }
}

/** Gives links the new ids of their guide channels, and notes the names that the others have now. */
async function follow(
  house: GuideHouse,
  { links }: Standing,
  indexes: readonly GuideIndex[],
  counts: MatchCounts,
): Promise<boolean> {
  let changed = false;
  for (const index of indexes) {
    const own = links.get(index.guideSource) ?? [];
    const found = relink(own, index);
    counts.relinked += found.length;
    const seen = own.flatMap(({ id, guideKey, names, origin }) => {
      const now = index.byKey.get(guideKey)?.target.names;
      return origin === 'auto' || now === undefined || now.join('\n') === names.join('\n') ? [] : [{ id, names: now }];
    });
    for (let from = 0; from < Math.max(found.length, seen.length); from += chunk) {
      const [some, others] = [found.slice(from, from + chunk), seen.slice(from, from + chunk)];
      const matches = { auto: [], drop: [], relink: some, seen: others, review: [], clear: [] };
      if (await house.writeMatches(matches)) changed = true;
    }
  }
  return changed;
}

async function queuedChannels(house: GuideHouse): Promise<Set<number>> {
  const queued = new Set<number>();
  let after: string | null = null;
  do {
    const { items, next } = await house.review({ after, limit: page });
    for (const { channel } of items) queued.add(channel);
    after = next;
  } while (after !== null);
  return queued;
}

/** Without a guide there is nothing to be sure of. Resolves with false: no link is another one. */
async function empty(house: GuideHouse, queued: ReadonlySet<number>): Promise<boolean> {
  for (const clear of inChunks(queued, chunk)) {
    await house.writeMatches({ auto: [], drop: [], relink: [], review: [], clear });
  }
  return false;
}

function matchesOf(decisions: readonly Decision[], queued: readonly number[]): Matches {
  const review = decisions.flatMap((one) => one.review ?? []);
  const reviewed = new Set(review.map(({ channel }) => channel));
  return {
    auto: decisions.flatMap(({ auto }) => auto),
    drop: decisions.flatMap(({ drop }) => drop),
    relink: [],
    review,
    clear: queued.filter((channel) => !reviewed.has(channel)),
  };
}

function isSomething({ auto, drop, review, clear }: Matches): boolean {
  return auto.length + drop.length + review.length + clear.length > 0;
}

function count(counts: MatchCounts, decisions: readonly Decision[]): void {
  for (const { accepted, drop, kept, review } of decisions) {
    counts.accepted += accepted;
    counts.dropped += drop.length;
    counts.kept += kept;
    counts.review += Number(review !== null);
  }
}
