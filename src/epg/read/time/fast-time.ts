import type { ZoneClock } from './zone-clock.js';

const zero = 0x30;
const blank = 0x20;
const plus = 0x2b;
const minus = 0x2d;

/**
 * Reads the two forms that nearly all times of guides have, `YYYYMMDDhhmmss +hhmm` and the same without a zone, from their
 * bytes and without making a string. Epoch seconds; NaN for any other form, which `readTime` may know.
 */
export type FastTime = (bytes: Uint8Array, from: number, to: number, after: number) => number;

export function createFastTime(zone: ZoneClock): FastTime {
  const dayOf = createDays();
  return (bytes, from, to, after) => {
    const length = to - from;
    if (length !== 20 && length !== 14) return Number.NaN;
    const day = dayOf(number(bytes, from, 4), number(bytes, from + 4, 2), number(bytes, from + 6, 2));
    const hour = number(bytes, from + 8, 2);
    const minute = number(bytes, from + 10, 2);
    const second = number(bytes, from + 12, 2);
    if (!(day >= 0 && hour < 24 && minute < 60 && second < 60)) return Number.NaN;
    const local = day * 86_400 + hour * 3600 + minute * 60 + second;
    return length === 14 ? zone.toEpoch(local, after) : local - readOffset(bytes, from + 14);
  };
}

/** Seconds east of UTC of ` +hhmm`, else NaN. */
function readOffset(bytes: Uint8Array, at: number): number {
  const sign = bytes[at + 1];
  const hours = number(bytes, at + 2, 2);
  const minutes = number(bytes, at + 4, 2);
  if (bytes[at] !== blank || (sign !== plus && sign !== minus) || !(hours < 14 && minutes < 60)) return Number.NaN;
  const size = hours * 3600 + minutes * 60;
  return sign === minus ? -size : size;
}

function number(bytes: Uint8Array, at: number, digits: number): number {
  let value = 0;
  for (let index = at; index < at + digits; index += 1) {
    const digit = (bytes[index] ?? 0) - zero;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Days since the epoch; guides come day by day, so the last one is remembered. NaN outside of 1970 to 2199. */
function createDays(): (year: number, month: number, day: number) => number {
  let lastDate = Number.NaN;
  let lastDay = Number.NaN;
  return (year, month, day) => {
    const date = year * 10_000 + month * 100 + day;
    if (date === lastDate) return lastDay;
    const time = new Date(Date.UTC(year, month - 1, day));
    // A day that the month does not have comes out as another one.
    const isThere = time.getUTCMonth() === month - 1 && time.getUTCDate() === day && year >= 1970 && year < 2200;
    lastDate = date;
    lastDay = isThere ? time.getTime() / 86_400_000 : Number.NaN;
    return lastDay;
  };
}
