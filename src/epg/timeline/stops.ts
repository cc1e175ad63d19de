import { type OpenSlot, richer, type Slot } from './slot.js';

/** Seconds: no programme is taken to be longer, */
export const longest = 24 * 3600;
/** and one whose end nobody knows is taken to be as long. */
const usual = 30 * 60;

/** Of sorted programmes that start together, the one of which more is said. */
export function onePerStart(sorted: readonly OpenSlot[]): OpenSlot[] {
  const kept: OpenSlot[] = [];
  for (const slot of sorted) {
    const last = kept.at(-1);
    if (last?.start === slot.start) kept[kept.length - 1] = joined(last, slot);
    else kept.push(slot);
  }
  return kept;
}

function joined(one: OpenSlot, other: OpenSlot): OpenSlot {
  const [first, second] = richer(one.said, other.said) === one.said ? [one, other] : [other, one];
  return { start: first.start, stop: first.stop ?? second.stop, said: first.said };
}

/**
 * Programmes in order, each with an end. One that is not said, or not after the start, is the start of the next within a
 * day, else half an hour later: the guide leaves off there. A day is the longest, whatever is said.
 */
export function withStops(sorted: readonly OpenSlot[]): Slot[] {
  return sorted.map(({ start, stop, said }, index) => {
    const isSaid = stop !== null && stop > start;
    return { start, stop: isSaid ? Math.min(stop, start + longest) : guessed(start, sorted[index + 1]?.start), said };
  });
}

function guessed(start: number, next: number | undefined): number {
  return next !== undefined && next - start <= longest ? next : start + usual;
}
