import { utc } from '../../lib/zone-clock.js';
import type { Wish } from '../../model/archive.js';
import { readFormat, writeTime } from './format.js';
import type { Instants } from './token.js';

/**
 * What a template is filled with: start and end are earlier by the correction (hours, also negative, to the second), and so is what stands
 * for an open end. Now stays what it is.
 */
export function corrected(wish: Wish, correction: number, now: number, openEnd: number | null): Instants {
  const seconds = Math.round(correction * 3600);
  const end = wish.end === null ? null : wish.end - seconds;
  return { start: wish.start - seconds, end, now, openEnd: (openEnd ?? now) - seconds };
}

const format = readFormat(`yyyyMMdd'T'HHmmss'Z'`) ?? [];

/** `Range` of what is played from an instant (epoch seconds) on (RFC 2326 §3.7, §12.29). */
export function clockRange(start: number): string {
  return `clock=${writeTime(format, Math.floor(start), utc)}-`;
}
