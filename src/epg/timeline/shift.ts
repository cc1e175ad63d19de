import type { Programme } from '../../model/programme.js';

/** The same programmes, that many seconds later. */
export function shifted(programmes: readonly Programme[], seconds: number): readonly Programme[] {
  if (seconds === 0) return programmes;
  return programmes.map(({ start, stop, content }) => ({
    start: start + seconds,
    stop: stop === null ? null : stop + seconds,
    content,
  }));
}
