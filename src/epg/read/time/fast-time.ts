import type { ZoneClock } from '../../../lib/zone-clock.js';

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
    const year = twoDigits(bytes, from) * 100 + twoDigits(bytes, from + 2);
    const day = dayOf(year, twoDigits(bytes, from + 4), twoDigits(bytes, from + 6));
    const hour = twoDigits(bytes, from + 8);
    const minute = twoDigits(bytes, from + 10);
    const second = twoDigits(bytes, from + 12);
    if (day < 0 || hour >= 24 || minute >= 60 || second >= 60) return Number.NaN;
    const local = day * 86_400 + hour * 3600 + minute * 60 + second;
    return length === 14 ? zone.toEpoch(local, after) : local - readOffset(bytes, from + 14);
  };
}

/** Seconds east of UTC of ` +hhmm`, else NaN. */
function readOffset(bytes: Uint8Array, at: number): number {
  const sign = bytes[at + 1];
  const hours = twoDigits(bytes, at + 2);
  const minutes = twoDigits(bytes, at + 4);
  if (bytes[at] !== blank || (sign !== plus && sign !== minus) || hours >= 14 || minutes >= 60) return Number.NaN;
  const size = hours * 3600 + minutes * 60;
  return sign === minus ? -size : size;
}

/** What is no number is too large for any part of a time. */
const none = 10_000;

function twoDigits(bytes: Uint8Array, at: number): number {
  const ten = (bytes[at] ?? 0) - zero;
  const one = (bytes[at + 1] ?? 0) - zero;
  return ten >= 0 && ten <= 9 && one >= 0 && one <= 9 ? ten * 10 + one : none;
}

/** Days since the epoch; guides come day by day, so the last one is remembered. −1 outside of 1970 to 2199. */
function createDays(): (year: number, month: number, day: number) => number {
  let [lastYear, lastMonth, lastDay] = [0, 0, 0];
  let result = -1;
  return (year, month, day) => {
    if (day === lastDay && month === lastMonth && year === lastYear) return result;
    lastYear = year;
    lastMonth = month;
    lastDay = day;
    const time = new Date(Date.UTC(year, month - 1, day));
    // A day that the month does not have comes out as another one.
    const isThere = time.getUTCMonth() === month - 1 && time.getUTCDate() === day && year >= 1970 && year < 2200;
    result = isThere ? time.getTime() / 86_400_000 : -1;
    return result;
  };
}
