import { richer, type Slot } from './slot.js';

/** Share of the shorter of two programmes with one title that makes them the same one. */
const same = 0.8;

/** Of programmes in order, those that stand there twice a little apart become the first, with what more is said. */
export function withoutDoubles(sorted: readonly Slot[]): Slot[] {
  const kept: Slot[] = [];
  for (const slot of sorted) {
    const last = kept.at(-1);
    if (last === undefined || !isDouble(last, slot)) kept.push(slot);
    else kept[kept.length - 1] = { ...last, said: richer(last.said, slot.said) };
  }
  return kept;
}

function isDouble(one: Slot, other: Slot): boolean {
  const shared = Math.min(one.stop, other.stop) - Math.max(one.start, other.start);
  if (shared <= 0 || shared < same * Math.min(one.stop - one.start, other.stop - other.start)) return false;
  return titleOf(one) === titleOf(other);
}

function titleOf({ said }: Slot): string | undefined {
  return said.content.titles[0]?.text.normalize('NFKC').trim().toLowerCase();
}

/** Each programme ends at the latest when the next one begins: players show what they were told last. */
export function withoutOverlaps(sorted: readonly Slot[]): Slot[] {
  return sorted.map((slot, index) => {
    const next = sorted[index + 1];
    return next === undefined || next.start >= slot.stop ? slot : { ...slot, stop: next.start };
  });
}
