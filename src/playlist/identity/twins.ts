import { agrees } from './assignment.js';
import type { Census } from './census.js';
import type { Pair } from './pairs.js';

const { weakPlace, place, name, group } = agrees;

/**
 * Takes the weight of the group from an entry that came with a new address and has the name of another one, which is still at
 * its own address under its name: it is a new one, even where the other one changed its group.
 */
export function discountTwins(pairs: readonly Pair[], census: Census): void {
  const kept = pairs.filter(({ evidence }) => (evidence & place) !== 0 && (evidence & name) !== 0);
  if (kept.length === 0) return;
  const before = new Set(kept.map(({ previous }) => previous));
  const after = new Set(kept.map(({ next }) => next));
  for (const pair of pairs) {
    const isByName = (pair.evidence & name) !== 0 && (pair.evidence & weakPlace) === 0;
    if (!isByName || !(before.has(pair.previous) || after.has(pair.next))) continue;
    if (!census.isDealtAnew(pair.was, pair.is)) pair.evidence &= ~group;
  }
}
