import type { Placeholder } from '../../model/guide.js';
import type { Programme, TimelineItem } from '../../model/programme.js';
import { slotsOf } from './clean.js';
import { fill, leastGap } from './fill.js';
import { placeholders, type Window } from './placeholder.js';
import type { Slot } from './slot.js';
import { longest } from './stops.js';

/** What one guide says of one channel. */
export type TimelineSource = {
  readonly guideSource: number;
  readonly guideId: string;
  /** Seconds that are added to its times: of the guide, the link and the channel together. */
  readonly shift: number;
  readonly programmes: readonly Programme[];
};

export type TimelineOptions = Window & {
  readonly placeholder: Placeholder | null;
  /** Of the channel, for its placeholders. */
  readonly name: string;
  /** Where placeholders end, when that is before the end of the window. */
  readonly placeholdersTo?: number;
};

/**
 * What a channel shows: its first guide cleaned, gaps of five minutes and more filled from the next ones in turn, and what is
 * empty then with placeholders. Items overlap the window and are whole; they are sorted and do not overlap each other. It comes
 * out the same for each window as long as its margin is among the programmes. Contents are read of what is shown, and of
 * others only where they decide.
 */
export function mergeTimeline(sources: readonly TimelineSource[], options: TimelineOptions): TimelineItem[] {
  const { from, to, placeholder, name, placeholdersTo = to } = options;
  const merged = sources.map(placed).reduce<Placed[]>((slots, others) => fill(slots, others), []);
  const shown = merged.filter(({ start, stop }) => start < to && stop > from).map(shownItem);
  if (placeholder === null) return shown;
  const fillers = placeholders(merged, placeholder, name, { from, to: Math.min(to, placeholdersTo) });
  return [...shown, ...fillers].sort((one, other) => one.start - other.start);
}

/**
 * Seconds before and behind a window that play a part in it: of each guide what is longest, as whether a programme fits depends on
 * those of the guides before it; and a block that its end cuts.
 */
export function marginOf(guides: number, placeholder: Placeholder | null): number {
  return guides * (longest + leastGap) + (placeholder === null ? 0 : placeholder.minutes * 60 + leastGap);
}

type Placed = Slot & { readonly from: TimelineItem['from'] };

function placed({ guideSource, guideId, shift, programmes }: TimelineSource): Placed[] {
  const from = { guideSource, guideId };
  return slotsOf(programmes, shift).map(({ start, stop, said }) => ({ start, stop, said, from }));
}

function shownItem({ start, stop, said, from }: Placed): TimelineItem {
  return { start, stop, content: said.content, from };
}
