import type { GuideChannels } from '../store/guide/contract.js';
import type { GuideHouse } from '../store/guide-house.js';

/** A guide channel whose programmes are wanted. */
export type Wanted = {
  readonly guideId: string;
  /** Seconds after their end that programmes are kept. */
  readonly keep: number;
};

const day = 86_400;
/** Days that programmes are kept at least, and at most. */
const leastDays = 1;
const mostDays = 30;

/**
 * What channels that are shown are linked to, by guide source and folded id. Past programmes are kept as far back as the
 * catch-up of those channels reaches.
 */
export function wantedOf(house: Pick<GuideHouse, 'links' | 'receivers'>): Map<number, Map<string, Wanted>> {
  const days = new Map<number, number>();
  for (const receiver of house.receivers(null)) days.set(receiver.channel, receiver.days);
  const wanted = new Map<number, Map<string, Wanted>>();
  for (const { channel, guideSource, guideKey, guideId } of house.links()) {
    const reach = days.get(channel);
    if (reach === undefined) continue;
    const keep = Math.min(Math.max(reach, leastDays), mostDays) * day;
    const ofSource = wanted.get(guideSource) ?? new Map<string, Wanted>();
    wanted.set(guideSource, ofSource);
    ofSource.set(guideKey, { guideId, keep: Math.max(keep, ofSource.get(guideKey)?.keep ?? 0) });
  }
  return wanted;
}

type Needs = {
  /** Pairs of a guide channel and how long its past programmes are kept, in seconds, of all that is wanted. */
  readonly keep: Float64Array;
  /** Guide sources of which channels are wanted whose programmes are not kept yet. */
  readonly wanting: readonly number[];
};

/** What is wanted, as numbers that go to another thread. */
export function needsOf(
  house: Pick<GuideHouse, 'links' | 'receivers'>,
  channels: Pick<GuideChannels, 'ids' | 'kept'>,
): Needs {
  const pairs: number[] = [];
  const wanting: number[] = [];
  for (const [source, wanted] of wantedOf(house)) {
    const kept = new Set(channels.kept(source));
    // What a guide never had is not to be found in its body either.
    const known = channels.ids(source, [...wanted.keys()]);
    for (const [key, channel] of known) pairs.push(channel, wanted.get(key)?.keep ?? 0);
    if ([...known.values()].some((channel) => !kept.has(channel))) wanting.push(source);
  }
  return { keep: Float64Array.from(pairs), wanting };
}
