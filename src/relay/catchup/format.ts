import type { ZoneClock } from '../../lib/zone-clock.js';
import type { FormatPart } from './token.js';

type Field = Exclude<FormatPart['kind'], 'text'>;

/** As Java and its like write them. Providers write `YYYY`, `DD` and `hh` too, and never mean weeks, days of the year or half days. */
const longNames: Readonly<Record<string, Field>> = {
  yyyy: 'year',
  YYYY: 'year',
  MM: 'month',
  dd: 'day',
  DD: 'day',
  HH: 'hour',
  hh: 'hour',
  mm: 'minute',
  ss: 'second',
};
/** As strftime writes them, without `%`. */
const shortNames: Readonly<Record<string, Field>> = {
  Y: 'year',
  m: 'month',
  d: 'day',
  H: 'hour',
  M: 'minute',
  S: 'second',
};

const anyLong = /yyyy|YYYY|MM|dd|DD|HH|hh|mm|ss/;
/** A quoted text, an octet as addresses write it, a field, or one character as it stands. */
const longParts = /'[^']*'|%[0-9a-fA-F]{2}|SSS|yyyy|YYYY|MM|dd|DD|HH|hh|mm|ss|./gs;
const shortParts = /'[^']*'|%[0-9a-fA-F]{2}|./gs;

/** Reads `yyyyMMddHHmmss`, `YmdHMS` and their like. Null when no digit of a clock is in it. */
export function readFormat(text: string): readonly FormatPart[] | null {
  const [pattern, names] = anyLong.test(text) ? [longParts, longNames] : [shortParts, shortNames];
  const parts = (text.match(pattern) ?? []).map((piece) => partOf(piece, names));
  return parts.some(({ kind }) => kind !== 'text') ? parts : null;
}

function partOf(piece: string, names: Readonly<Record<string, Field>>): FormatPart {
  const kind = Object.hasOwn(names, piece) ? names[piece] : undefined;
  if (kind !== undefined) return { kind };
  if (piece === 'SSS') return { kind: 'text', text: '000' };
  const quoted = piece.length > 1 && piece.startsWith("'");
  return { kind: 'text', text: quoted ? piece.slice(1, -1) : piece };
}

/** The field of one placeholder such as `{Y}` or `${MM}`, or null. */
export function fieldOf(name: string): Field | null {
  const names = Object.hasOwn(shortNames, name) ? shortNames : longNames;
  return Object.hasOwn(names, name) ? (names[name] ?? null) : null;
}

/** Writes what a clock shows at an instant (epoch seconds): a year in four digits, all else in two. */
export function writeTime(format: readonly FormatPart[], epoch: number, clock: ZoneClock): string {
  const shown = new Date(clock.toLocal(epoch) * 1000);
  return format.map((part) => (part.kind === 'text' ? part.text : digitsOf(part.kind, shown))).join('');
}

function digitsOf(field: Field, shown: Date): string {
  switch (field) {
    case 'year':
      return String(shown.getUTCFullYear()).padStart(4, '0');
    case 'month':
      return twoDigits(shown.getUTCMonth() + 1);
    case 'day':
      return twoDigits(shown.getUTCDate());
    case 'hour':
      return twoDigits(shown.getUTCHours());
    case 'minute':
      return twoDigits(shown.getUTCMinutes());
    case 'second':
      return twoDigits(shown.getUTCSeconds());
  }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
