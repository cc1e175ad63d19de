import type { Programme } from '../../model/programme.js';
import { withoutDoubles, withoutOverlaps } from './overlaps.js';
import type { Slot } from './slot.js';
import { onePerStart, withStops } from './stops.js';

/**
 * What one guide says of one channel as a timeline: sorted, without doubles and overlaps, each with an end after its start
 * and none longer than a day. Cleaning it again changes nothing.
 */
export function cleanTimeline(programmes: readonly Programme[]): (Programme & { readonly stop: number })[] {
  return slotsOf(programmes, 0).map(({ start, stop, said }) => ({ start, stop, content: said.content }));
}

/** The same, that many seconds later. */
export function slotsOf(programmes: readonly Programme[], shift: number): Slot[] {
  const slots = programmes.map((said) => {
    return { start: said.start + shift, stop: said.stop === null ? null : said.stop + shift, said };
  });
  const sorted = slots.sort((one, other) => one.start - other.start);
  return withoutOverlaps(withoutDoubles(withStops(onePerStart(sorted))));
}
