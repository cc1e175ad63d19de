import type { Span } from './slot.js';

/** Seconds: what is shorter between two programmes is no gap. */
export const leastGap = 5 * 60;
/** Share of a programme that may be cut off so that it fits. */
const cut = 0.1;

/** Where a timeline, sorted and without overlaps, shows nothing; infinite before the first and behind the last programme. */
export function gapsOf(items: readonly Span[]): Span[] {
  const starts = [Number.NEGATIVE_INFINITY, ...items.map(({ stop }) => stop)];
  const gaps = starts.map((start, index) => ({ start, stop: items[index]?.start ?? Number.POSITIVE_INFINITY }));
  return gaps.filter(({ start, stop }) => stop - start >= leastGap);
}

/**
 * The timeline, its gaps filled with programmes of another one: what fits, and what fits once less than a tenth of it is cut
 * off. The first is never shortened. Both are sorted and without overlaps, and so is what comes of them.
 */
export function fill<T extends Span>(items: readonly T[], others: readonly T[]): T[] {
  if (items.length === 0) return [...others];
  const added: T[] = [];
  let next = 0;
  for (const gap of gapsOf(items)) {
    while (next < others.length && (others[next]?.stop ?? 0) <= gap.start) next += 1;
    for (let index = next; index < others.length; index += 1) {
      const other = others[index];
      if (other === undefined || other.start >= gap.stop) break;
      const fitted = fit(other, gap);
      if (fitted !== null) added.push(fitted);
    }
  }
  return [...items, ...added].sort((one, other) => one.start - other.start);
}

function fit<T extends Span>(item: T, gap: Span): T | null {
  const start = Math.max(item.start, gap.start);
  const stop = Math.min(item.stop, gap.stop);
  const whole = item.stop - item.start;
  if (stop - start === whole) return item;
  return whole - (stop - start) < cut * whole ? { ...item, start, stop } : null;
}
