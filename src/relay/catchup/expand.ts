import { utc, type ZoneClock } from '../../lib/zone-clock.js';
import { writeTime } from './format.js';
import { openEndAt } from './open-end.js';
import type { Instants, Moment, Template, Token } from './token.js';

export type Zones = {
  /** The provider's. */
  readonly zone: ZoneClock;
  /** What `{utc:FORMAT}` and its like are written in. */
  readonly formatted: 'utc' | 'zone';
};

/** Fills a template. Instants are written to the second; lengths that would be negative are 0. */
export function expand({ tokens }: Template, at: Instants, zones: Zones): string {
  const known = instantsOf(at);
  const parts: string[] = [];
  for (let index = 0, skipped = 0; index < tokens.length; index += 1) {
    const open = at.end === null ? openEndAt(tokens, index) : null;
    const token = tokens[index];
    if (open !== null) index = open.next - 1;
    else if (token !== undefined) parts.push(write(token, known, zones).slice(skipped));
    skipped = open?.skipped ?? 0;
  }
  return parts.join('');
}

type Known = Readonly<Record<Moment, number>>;

function instantsOf({ start, end, now, openEnd }: Instants): Known {
  return { start: Math.floor(start), end: Math.floor(end ?? openEnd ?? now), now: Math.floor(now) };
}

function write(token: Token, known: Known, { zone, formatted }: Zones): string {
  switch (token.kind) {
    case 'epoch':
      return String(known[token.of]);
    case 'time': {
      const { basis } = token;
      const isUtc = basis === 'utc' || (basis === 'formatted' && formatted === 'utc');
      return writeTime(token.format, known[token.of], isUtc ? utc : zone);
    }
    case 'duration':
      return lengthOf(known.end - known.start, token.divider);
    case 'offset':
      return lengthOf(known.now - known.start, token.divider);
    default:
      return token.text;
  }
}

function lengthOf(seconds: number, divider: number): string {
  return String(Math.floor(Math.max(0, seconds) / divider));
}
