import { fixedClock, namedClock, type ZoneClock } from '../../lib/zone-clock.js';

/** An instant as somebody wrote it. */
export type SeekTime = {
  /** Seconds, by the clock that it was read with where it names no zone. */
  readonly epoch: number;
  /** The same form, so many seconds later; what names no zone in UTC. */
  write(later: number): string;
};

/** `begin-end`, `begin-` or `begin`. */
export type Seek = {
  readonly begin: SeekTime;
  readonly end: SeekTime | null;
  /** Whether a hyphen stood behind the begin. */
  readonly isRange: boolean;
};

/** By which clock and how many seconds back a begin is asked for by `Range: clock` instead of in the address. */
export type NearMode = { readonly clock: ZoneClock | null; readonly within: number };

const zone = '(Z|GMT|UTC|[-+ ]\\d{2}(?::?\\d{2})?)?';
/** Year, month, day, hour, minute and second, each with what stands in front of it; milliseconds; zone. */
const clockForm = new RegExp(
  `^(\\d{4})(-?)(\\d{2})\\2(\\d{2})(T|t| |)(\\d{2})(:?)(\\d{2})\\7(\\d{2})(\\.\\d{1,9})?${zone}$`,
  'i',
);

/** What offsets move stays in four digits. */
const firstYear = 1970;
const lastYear = 9900;

/** Reads `20240101120000-20240101130000` and its like; hyphens of the times themselves are stepped over. Null when it is none. */
export function readSeek(text: string, naive: ZoneClock): Seek | null {
  const whole = readSeekTime(text, naive);
  if (whole !== null) return { begin: whole, end: null, isRange: false };
  for (const { index } of text.matchAll(/-/g)) {
    const begin = readSeekTime(text.slice(0, index), naive);
    const rest = text.slice(index + 1);
    const end = rest === '' ? null : readSeekTime(rest, naive);
    if (begin !== null && (rest === '' || end !== null)) return { begin, end, isRange: true };
  }
  return null;
}

/** Reads epoch seconds (10 digits at most) or milliseconds (13), `20240101120000[GMT]`, `20240101T120000[Z|+08:00]` and ISO 8601. */
function readSeekTime(text: string, naive: ZoneClock): SeekTime | null {
  if (/^\d{1,10}$/.test(text)) return { epoch: Number(text), write: (later) => `${Number(text) + later}` };
  if (/^\d{13}$/.test(text)) {
    return { epoch: Number(text) / 1000, write: (later) => `${Number(text) + later * 1000}` };
  }
  const form = clockForm.exec(text);
  return form === null ? null : readClock(form, naive);
}

function readClock(form: RegExpExecArray, naive: ZoneClock): SeekTime | null {
  const [, year, dash = '', month, day, middle = '', hour, colon = '', minute, second, fraction = '', suffix] = form;
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = [year, month, day, hour, minute, second].map(Number);
  const date = new Date(Date.UTC(y, mo - 1, d, h, mi, s));
  const isReal = date.getUTCMonth() === mo - 1 && date.getUTCDate() === d && h < 24 && mi < 60 && s < 60;
  if (!isReal || y < firstYear || y > lastYear) return null;
  const shown = date.getTime() / 1000;
  const clock = suffix === undefined ? naive : fixedClock(offsetOf(suffix));
  const epoch = clock.toEpoch(shown);
  return {
    epoch: epoch + Number(fraction),
    write: (later) => {
      const written = suffix === undefined ? epoch + later : shown + later;
      const [digits = ''] = new Date(written * 1000).toISOString().split('.', 1);
      const [days = '', times = ''] = digits.split('T');
      return `${days.replaceAll('-', dash)}${middle}${times.replaceAll(':', colon)}${fraction}${suffix ?? ''}`;
    },
  };
}

/** Seconds east of UTC. A `+` may have become a blank. */
function offsetOf(suffix: string): number {
  const [, sign, hours = 0, minutes = 0] = /^([-+ ])(\d{2}):?(\d{2})?$/.exec(suffix) ?? [];
  const size = Number(hours) * 3600 + Number(minutes) * 60;
  return sign === '-' ? -size : size;
}

/** The text of a seek whose begin and end are so many seconds later. */
export function writeSeek({ begin, end, isRange }: Seek, later: readonly [begin: number, end: number]): string {
  return `${begin.write(later[0])}${isRange ? '-' : ''}${end?.write(later[1]) ?? ''}`;
}

const tenYears = 10 * 366 * 86_400;

/** Reads `r2h-seek-offset`: seconds for both, or for begin and end. What is no such thing or beyond ten years is no offset. */
export function readSeekOffset(text: string): readonly [begin: number, end: number] {
  const [, first, second = first] = /^([+-]?\d{1,10})(?:,([+-]?\d{1,10}))?$/.exec(text.trim()) ?? [];
  const offsets = [Number(first ?? 0), Number(second ?? 0)] as const;
  return offsets.some((offset) => Math.abs(offset) > tenYears) ? [0, 0] : offsets;
}

const zoneForm = '(?:UTC|GMT)(?:[+-](?:0?\\d|1[0-3])(?::?[0-5]\\d)?|[+-]14)?';
const modeForm = new RegExp(`^range(?:\\((?:(${zoneForm})?(?:/(\\d{1,5}))?|(\\d{1,5}))\\))?$`, 'i');
/** Seconds, when a mode names none, and the most that it may name. */
const usualWindow = 3600;
const longestWindow = 86_400;

/** Reads `r2h-seek-mode`: `range`, `range(UTC+8)`, `range(7200)`, `range(UTC+8/7200)`. Null for anything else: the address asks then. */
export function readSeekMode(text: string): NearMode | null {
  const form = modeForm.exec(text.trim());
  if (form === null) return null;
  const within = Number(form[2] ?? form[3] ?? usualWindow);
  if (within < 1 || within > longestWindow) return null;
  return { clock: form[1] === undefined ? null : namedClock(form[1].toUpperCase()), within };
}
