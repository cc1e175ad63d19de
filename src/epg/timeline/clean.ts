import type { Programme } from '../../model/programme.js';
import { withoutDoubles, withoutOverlaps } from './overlaps.js';
import { type Ended, onePerStart, withStops } from './stops.js';

/**
 * What one guide says of one channel as a timeline: sorted, without doubles and overlaps, each with an end after its start
 * and none longer than a day. Cleaning it again changes nothing.
 */
export function cleanTimeline(programmes: readonly Programme[]): Ended[] {
  const sorted = programmes.toSorted((one, other) => one.start - other.start);
  return withoutOverlaps(withoutDoubles(withStops(onePerStart(sorted))));
}
