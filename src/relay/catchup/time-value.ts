import type { ZoneClock } from '../../lib/zone-clock.js';

export type Clocks = {
  /** Of times without a zone. */
  readonly naive: ZoneClock;
  /** Of the form that Xtream Codes has. */
  readonly household: ZoneClock;
};

/** `live` is what players send who ask for nothing of the past. */
export type TimeValue = number | 'live' | null;

const digits = /^(?:\d{1,10}(?:\.\d+)?|\d{13}|\d{14})$/;
/** Date and time, and what stands behind them: nothing, `Z`, `GMT` or an offset, whose `+` may have become a blank. */
const behind = '(Z|GMT|UTC|[-+ ]\\d{2}(?::?\\d{2})?)?';
const packed = new RegExp(`^(\\d{4})(\\d{2})(\\d{2})T?(\\d{2})(\\d{2})(\\d{2})([.,]\\d+)?${behind}$`, 'i');
const iso = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})[T ](\\d{2}):(\\d{2})(?::(\\d{2})([.,]\\d+)?)?${behind}$`, 'i');
const xtream = /^(\d{4})-(\d{1,2})-(\d{1,2})[:_](\d{1,2})-(\d{1,2})(?:-(\d{1,2}))?$/;

/** Epoch seconds before these are no times: players meant something else by them. */
const least = 1e8;

/**
 * Reads an instant as players write it: epoch seconds or milliseconds, `20240101120000[GMT]`, `20240101T120000[Z|+08:00]`, ISO 8601, or
 * `2024-3-7:9-05` as Xtream Codes has it. Null when it is none.
 */
export function readTime(value: string, clocks: Clocks): TimeValue {
  if (value === '' || /^(?:-1|0+)$/.test(value)) return 'live';
  const isEpoch = digits.test(value) && value.length !== 14;
  if (isEpoch) return epochOf(value);
  return (
    readClock(packed, value, clocks.naive) ??
    readClock(iso, value, clocks.naive) ??
    readClock(xtream, value, clocks.household)
  );
}

function epochOf(value: string): number | null {
  const seconds = /^\d{13}$/.test(value) ? Number(value) / 1000 : Number(value);
  return seconds < least ? null : seconds;
}

function readClock(form: RegExp, value: string, clock: ZoneClock): number | null {
  const match = form.exec(value);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const shown = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const isReal =
    shown.getUTCMonth() === month - 1 && shown.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!isReal) return null;
  const local = shown.getTime() / 1000 + Number((match[7] ?? '0').replace(',', '.'));
  const zone = match[8];
  return zone === undefined ? clock.toEpoch(local) : local - offsetOf(zone);
}

/** Seconds east of UTC. */
function offsetOf(zone: string): number {
  const [, sign, hours = 0, minutes = 0] = /^([-+ ])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  const size = Number(hours) * 3600 + Number(minutes) * 60;
  return sign === '-' ? -size : size;
}
