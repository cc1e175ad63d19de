import type { Placeholder } from '../../model/guide.js';
import type { ProgrammeContent, TimelineItem } from '../../model/programme.js';
import { gapsOf, leastGap } from './fill.js';
import type { Span } from './slot.js';

/** Epoch seconds, half open. */
export type Window = { readonly from: number; readonly to: number };

/**
 * Blocks that fill what a timeline leaves empty in the window, on a grid of the placeholder's minutes from the epoch on, so that they
 * stay the same from one window to the next. Those at its ends are whole.
 */
export function placeholders(
  items: readonly Span[],
  { minutes, title }: Placeholder,
  name: string,
  window: Window,
): TimelineItem[] {
  const content: ProgrammeContent = { titles: [{ text: title.replaceAll('{name}', name), lang: null }] };
  const inside = gapsOf(items).filter(({ start, stop }) => start < window.to && stop > window.from);
  return inside.flatMap((gap) => blocks(gap, minutes * 60, content, window));
}

function blocks(gap: Span, grid: number, content: ProgrammeContent, { from, to }: Window): TimelineItem[] {
  const all: TimelineItem[] = [];
  // The block that the window cuts may have begun earlier: its end is not on the grid where the gap ends soon behind it.
  const first = Math.floor((from - leastGap) / grid) * grid;
  let start = first - gap.start < leastGap ? gap.start : first;
  while (start < to && start < gap.stop) {
    const next = Math.ceil((start + leastGap) / grid) * grid;
    const stop = gap.stop - next < leastGap ? gap.stop : next;
    if (stop > from) all.push({ start, stop, content, from: null });
    start = stop;
  }
  return all;
}
