import type { ZoneClock } from '../../../lib/zone-clock.js';
import { readZone } from './zones.js';

/** Digits run together as the DTD has them, or date and time with a `T` or a blank between; a fraction; a zone. */
const compact = /^(\d+)(?:(?:T|\s+)(\d{4,6})(?!\d))?(?:[.,]\d+)?\s*(.*)$/is;
/** ISO 8601, extended format. */
const extended = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?\s*(.*)$/is;

/**
 * Reads a time of a guide: the DTD's `YYYYMMDDhhmmss` or a start of it, ISO 8601, or seconds or milliseconds since the epoch;
 * with a zone (see `readZone`), else that of the guide. Ten digits are an hour of this century where they can be one.
 * @returns epoch seconds; null when it is none.
 * @param after what the time follows: decides in an hour that the clock shows twice.
 */
export function readTime(text: string, zone: ZoneClock, after?: number): number | null {
  const trimmed = text.trim();
  const iso = extended.exec(trimmed);
  if (iso !== null) return clocked(localTime(iso.slice(1, 7).map(orUndefined)), iso[7] ?? '', zone, after);
  const [, date, time = '', suffix = ''] = compact.exec(trimmed) ?? [];
  if (date === undefined || (time !== '' && date.length !== 8)) return null;
  const epoch = time === '' ? readEpoch(date) : null;
  return epoch ?? clocked(localTime(inFields(date + time)), suffix, zone, after);
}

function clocked(local: number | null, suffix: string, zone: ZoneClock, after: number | undefined): number | null {
  if (local === null) return null;
  return readZone(suffix, zone)?.toEpoch(local, after) ?? null;
}

function orUndefined(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function readEpoch(digits: string): number | null {
  if (digits.length === 13) return Math.floor(Number(digits) / 1000);
  if (digits.length !== 10) return null;
  const isHour = digits.startsWith('20') && localTime(inFields(digits)) !== null;
  return isHour ? null : Number(digits);
}

/** Year, month, day, hour, minute, second, as many as there are; nothing when the digits do not come out even. */
function inFields(digits: string): number[] {
  if (digits.length < 4 || digits.length > 14 || digits.length % 2 === 1) return [];
  const pairs = digits.slice(4).match(/../g) ?? [];
  return [digits.slice(0, 4), ...pairs].map(Number);
}

/** As the clock shows it, in seconds as though it were UTC; null when no clock shows it, but 24:00:00 is the next midnight. */
function localTime([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: readonly (number | undefined)[]):
  | number
  | null {
  if (year < 1900 || year > 2199 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  const isMidnight = hour === 24 && minute === 0 && second === 0;
  if ((hour > 23 && !isMidnight) || minute > 59 || second > 60) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
