import { fieldOf, readFormat } from './format.js';
import type { Basis, FormatPart, Moment, Token } from './token.js';

const moments: Readonly<Record<string, Moment>> = {
  utc: 'start',
  start: 'start',
  utcend: 'end',
  end: 'end',
  lutc: 'now',
  now: 'now',
  timestamp: 'now',
  current_utc: 'now',
};
/** Always UTC, and only with a format. */
const greenwich: Readonly<Record<string, Moment>> = { GMT: 'start', GMTend: 'end', GMTnow: 'now' };
const units = { year: 'year', month: 'month', day: 'day', hour: 'hour', min: 'minute', sec: 'second' } as const;

/** Names that need no braces. */
export const bareNames = ['utcend', 'utc', 'start', 'end', 'lutc', 'now', 'timestamp', 'duration', 'offset'];

const length = /^(duration|offset)(?::(\d+))?$/;
const keyword = /^(\w+)(?::(.+))?$/s;
const edge = /^\(([be])\)(.+)$/is;
const unit = /^(start|end|now)-(year|month|day|hour|min|sec)$/;
/** Formats that stand without a name: they show the start. */
const plain = /^(?:yyyy|YYYY|MM|dd|DD|HH|hh|mm|ss|[-:T_/. ]|%20)+$/;
const modifier = /[|:](?:utc|gmt)$/i;

/** Reads what stands between the braces of a placeholder. Null when nobody knows it. */
export function readPlaceholder(written: string): Token | null {
  const seconds = length.exec(written);
  if (seconds !== null) return lengthOf(seconds[1] === 'offset' ? 'offset' : 'duration', seconds[2]);
  if (written === 'durmin') return { kind: 'duration', divider: 60 };
  const inner = written.replace(modifier, '');
  const asUtc = inner !== written;
  return keywordOf(inner, asUtc) ?? edgeOf(inner, asUtc) ?? partsOf(inner, asUtc);
}

function lengthOf(kind: 'duration' | 'offset', divider = '1'): Token | null {
  return Number(divider) > 0 ? { kind, divider: Number(divider) } : null;
}

/** `utc`, `start:FORMAT`, `GMTend:FORMAT`. */
function keywordOf(inner: string, asUtc: boolean): Token | null {
  const [, name = '', format] = keyword.exec(inner) ?? [];
  const of = lookUp(moments, name);
  if (of !== null)
    return format === undefined ? { kind: 'epoch', of } : timeOf(of, format, asUtc ? 'utc' : 'formatted');
  const always = lookUp(greenwich, name);
  return always === null || format === undefined ? null : timeOf(always, format, 'utc');
}

/** `(b)FORMAT`, `(e)timestamp`. */
function edgeOf(inner: string, asUtc: boolean): Token | null {
  const [, letter, format = ''] = edge.exec(inner) ?? [];
  if (letter === undefined) return null;
  const of = letter.toLowerCase() === 'b' ? 'start' : 'end';
  return format === 'timestamp' ? { kind: 'epoch', of } : timeOf(of, format, asUtc ? 'utc' : 'zone');
}

/** `Y`, `MM`, `end-hour`, `yyyyMMdd`. */
function partsOf(inner: string, asUtc: boolean): Token | null {
  const basis = asUtc ? 'utc' : 'zone';
  const kind = fieldOf(inner);
  if (kind !== null) return { kind: 'time', of: 'start', format: [{ kind }], basis };
  const [, name, part] = unit.exec(inner) ?? [];
  if (name === undefined) return plain.test(inner) ? timeOf('start', inner, basis) : null;
  const format: FormatPart[] = [{ kind: units[part as keyof typeof units] }];
  return { kind: 'time', of: lookUp(moments, name) ?? 'start', format, basis };
}

function timeOf(of: Moment, text: string, basis: Basis): Token | null {
  // What stands behind a bar says how a time is meant: of one that nobody knows the time would be wrong.
  const format = text.includes('|') ? null : readFormat(text);
  return format === null ? null : { kind: 'time', of, format, basis };
}

function lookUp(names: Readonly<Record<string, Moment>>, name: string): Moment | null {
  return Object.hasOwn(names, name) ? (names[name] ?? null) : null;
}
