import { WeirError } from '../../lib/errors.js';
import type { ZoneClock } from '../../lib/zone-clock.js';
import type { Wish } from '../../model/archive.js';
import { type Clocks, readTime, type TimeValue } from './time-value.js';
import { userAgentClock } from './user-agent-zone.js';

export type Asked = {
  /** Epoch seconds. */
  readonly now: number;
  /** Of times without a zone, unless the user agent names one. */
  readonly zone: ZoneClock;
  readonly userAgent: string;
};

// Of several in one request the first here counts: the later a name stands, the likelier it means something else.
const ranges = ['playseek', 'tvdr'];
const starts = [...'utc start starttime begin playbackbegin'.split(' '), ...ranges, 'timeshift', 'archive', 's'];
const ends = 'utcend end endtime playbackend archive_end stop e'.split(' ');
const lengths = ['duration', 'dur'];

/** Seconds before and after now within which an end is that of a programme still on air: players put now for it. */
const runningSlack = 120;
/** Seconds that a player's clock may be ahead of ours. */
const aheadSlack = 300;

/** Names in lower case. */
type Parameter = { readonly name: string; readonly value: string };

/**
 * What a player asks of the past; null when it asks for live.
 * @param query as it stood in the request line, without `?`.
 * @throws WeirError `invalid` when it is no time, or a placeholder was left in it.
 */
export function readWish(query: string, how: Asked): Wish | null {
  const parameters = parametersOf(query);
  refuseLeftovers(parameters);
  const clocks = { naive: userAgentClock(how.userAgent) ?? how.zone, household: how.zone };
  const start = startOf(parameters, clocks);
  if (start === null || typeof start.from !== 'number') return null;
  const { from } = start;
  if (from > how.now + aheadSlack) throw invalid(`${start.name} has not happened yet`, 'ask for a time that is past');
  if (from > how.now) return null;
  return { start: from, end: openOf(from, endOf(parameters, { ...start, from }, clocks), how.now) };
}

function parametersOf(query: string): Parameter[] {
  return query.split('&').map((parameter) => {
    const sign = parameter.search(/=|$/);
    return { name: decoded(parameter.slice(0, sign)).toLowerCase(), value: decoded(parameter.slice(sign + 1)).trim() };
  });
}

/** The parameter whose name stands first among these and that has a value. */
function firstOf(parameters: readonly Parameter[], names: readonly string[]): Parameter | undefined {
  const said = parameters.filter(({ name, value }) => value !== '' && names.includes(name));
  return said.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name))[0];
}

/** A `+` is a blank here: the times that have one are read with either. */
function decoded(text: string): string {
  const plain = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function refuseLeftovers(parameters: readonly Parameter[]): void {
  const left = parameters.find(({ value }) => /[{}$]|%7[bd]/i.test(value));
  if (left !== undefined)
    throw invalid(`a placeholder was left in ${shown(left)}`, 'use a playlist that is made for this player');
}

type Found = { readonly name: string; readonly from: TimeValue; readonly rest: string | null };

function startOf(parameters: readonly Parameter[], clocks: Clocks): Found | null {
  const said = firstOf(parameters, starts);
  if (said === undefined) return null;
  const found = ranges.includes(said.name)
    ? splitRange(said.value, clocks)
    : { from: readTime(said.value, clocks), rest: null };
  if (found === null || found.from === null) throw invalid(`${shown(said)} is no time`, 'write seconds since 1970');
  return { ...found, name: said.name };
}

/** `begin-end`, `begin-` and `begin`; hyphens of the times themselves are stepped over. */
function splitRange(value: string, clocks: Clocks): Omit<Found, 'name'> | null {
  const whole = readTime(value, clocks);
  if (whole !== null) return { from: whole, rest: null };
  for (const { index } of value.matchAll(/-/g)) {
    const from = readTime(value.slice(0, index).trim(), clocks);
    const rest = value.slice(index + 1).trim();
    if (from !== null && (rest === '' || readTime(rest, clocks) !== null)) return { from, rest };
  }
  return null;
}

/** Null is open. */
function endOf(
  parameters: readonly Parameter[],
  start: Found & { readonly from: number },
  clocks: Clocks,
): number | null {
  const said = firstOf(parameters, ends);
  const value = start.rest === null || start.rest === '' ? said?.value : start.rest;
  if (value !== undefined) {
    const end = readTime(value, clocks);
    if (end === null)
      throw invalid(`${shown({ name: said?.name ?? start.name, value })} is no time`, 'write seconds since 1970');
    return end === 'live' ? null : notBefore(start, end);
  }
  const length = firstOf(parameters, lengths);
  if (length === undefined) return null;
  if (!/^\d{1,8}(?:\.\d+)?$/.test(length.value)) throw invalid(`${shown(length)} is no length`, 'write seconds');
  return start.from + Number(length.value);
}

function notBefore({ from, name }: { readonly from: number; readonly name: string }, end: number): number {
  if (end < from) throw invalid(`the end is before ${name}`, 'ask for an end behind it, or for none');
  return end;
}

/** Ends that players write who know none. */
function openOf(start: number, end: number | null, now: number): number | null {
  if (end === null || end === start) return null;
  const isRunning = Math.abs(end - now) <= runningSlack;
  return isRunning ? null : end;
}

function shown({ name, value }: Parameter): string {
  const text = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return `${name}=${text.replace(/[^\x20-\x7e…]/g, '?')}`;
}

function invalid(what: string, doThis: string): WeirError {
  return new WeirError('invalid', `The past cannot be asked for like that: ${what}; ${doThis}.`);
}
