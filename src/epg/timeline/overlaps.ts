import { richer } from './richer.js';
import type { Ended } from './stops.js';

/** Share of the shorter of two programmes with one title that makes them the same one. */
const same = 0.8;

/** Of programmes in order, those that stand there twice a little apart become the first, with what more is said. */
export function withoutDoubles(sorted: readonly Ended[]): Ended[] {
  const kept: Ended[] = [];
  for (const programme of sorted) {
    const last = kept.at(-1);
    if (last === undefined || !isDouble(last, programme)) kept.push(programme);
    else kept[kept.length - 1] = { ...last, content: richer(last.content, programme.content) };
  }
  return kept;
}

function isDouble(one: Ended, other: Ended): boolean {
  const shared = Math.min(one.stop, other.stop) - Math.max(one.start, other.start);
  if (shared <= 0 || shared < same * Math.min(one.stop - one.start, other.stop - other.start)) return false;
  return titleOf(one) === titleOf(other);
}

function titleOf({ content }: Ended): string | undefined {
  return content.titles[0]?.text.normalize('NFKC').trim().toLowerCase();
}

/** Each programme ends at the latest when the next one begins: players show what they were told last. */
export function withoutOverlaps(sorted: readonly Ended[]): Ended[] {
  return sorted.map((programme, index) => {
    const next = sorted[index + 1];
    return next === undefined || next.start >= programme.stop ? programme : { ...programme, stop: next.start };
  });
}
