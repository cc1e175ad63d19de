import type { Programme } from '../../model/programme.js';
import { richer } from './richer.js';

/** An airing that ends. */
export type Ended = Programme & { readonly stop: number };

/** Seconds: no programme is taken to be longer, */
export const longest = 24 * 3600;
/** and one whose end nobody knows is taken to be as long. */
const usual = 30 * 60;

/** Of sorted programmes that start together, the one of which more is said. */
export function onePerStart(sorted: readonly Programme[]): Programme[] {
  const kept: Programme[] = [];
  for (const programme of sorted) {
    const last = kept.at(-1);
    if (last?.start === programme.start) kept[kept.length - 1] = joined(last, programme);
    else kept.push(programme);
  }
  return kept;
}

function joined(one: Programme, other: Programme): Programme {
  const [first, second] = richer(one.content, other.content) === one.content ? [one, other] : [other, one];
  return { ...first, stop: first.stop ?? second.stop };
}

/**
 * Programmes in order, each with an end. One that is not said, or not after the start, is the start of the next within a
 * day, else half an hour later: the guide leaves off there. A day is the longest, whatever is said.
 */
export function withStops(sorted: readonly Programme[]): Ended[] {
  return sorted.map((programme, index) => {
    const { start, stop } = programme;
    const isSaid = stop !== null && stop > start;
    return { ...programme, stop: isSaid ? Math.min(stop, start + longest) : guessed(start, sorted[index + 1]?.start) };
  });
}

function guessed(start: number, next: number | undefined): number {
  return next !== undefined && next - start <= longest ? next : start + usual;
}
