import type { ZoneClock } from '../lib/zone-clock.js';
import { utc } from '../lib/zone-clock.js';
import type { Wish } from '../model/archive.js';
import type { RtspUpstream } from '../model/stream.js';
import { parseRtspPath } from '../model/upstream.js';
import { expand } from '../relay/catchup/expand.js';
import { liveAddress } from '../relay/catchup/live-address.js';
import { readTemplate } from '../relay/catchup/read-template.js';
import type { Template } from '../relay/catchup/token.js';
import { userAgentClock } from '../relay/catchup/user-agent-zone.js';
import { clockRange, normalRange } from '../relay/rtsp/range.js';
import { type NearMode, readSeek, readSeekMode, readSeekOffset, type Seek, writeSeek } from '../relay/rtsp/seek.js';

/** What a server is asked. */
type Asked = { readonly url: string; readonly range: string | null };

/** A session of RTSP that is asked for by its address. */
export type DirectSession = Asked & {
  readonly upstream: RtspUpstream;
  /** Null for live. */
  readonly wish: Wish | null;
  /** What it begins with when so many seconds of it were played before. */
  readonly from: (seconds: number) => Asked;
  /** Whether nothing but its length is asked for. */
  readonly isDuration: boolean;
};

type Problem = { readonly problem: string };
type How = { readonly now: number; readonly userAgent: string };

/**
 * Reads `/rtsp/[user[:password]@]host[:port]/path?query`, raw as it stood in the request line, with what asks for the past: `playseek`,
 * `tvdr` or the parameter that `r2h-seek-name` names, `r2h-seek-offset`, `r2h-seek-mode`, `r2h-start` and `r2h-duration`. What is not
 * ours stays as it is written. Null when the path is not of that form.
 */
export function readDirectSession(rawPath: string, how: How): DirectSession | Problem | null {
  const parsed = parseRtspPath(rawPath);
  if (parsed === null || 'problem' in parsed) return parsed;
  const own = ownParameters(rawPath);
  const request = { ...how, address: splitAddress(parsed.upstream.url, own.get('r2h-seek-name') ?? null) };
  const answer =
    own.has('r2h-start') || request.address.seek !== null ? past(request, own) : live(request.address, how);
  if ('problem' in answer) return answer;
  const upstream = { ...parsed.upstream, url: answer.url };
  return { ...answer, upstream, isDuration: own.get('r2h-duration') === '1' };
}

/** Ours, by name in lower case: of a doubled one the first that has a value. */
function ownParameters(rawPath: string): ReadonlyMap<string, string> {
  const fields = (rawPath.split(/\?(.*)/s, 2)[1] ?? '').split('&').map(readField);
  const ours = fields.filter(({ name, value }) => name.startsWith('r2h-') && value !== '');
  return new Map(ours.reverse().map(({ name, value }) => [name, value]));
}

type Field = { readonly raw: string; readonly name: string; readonly value: string };

/** A `+` is one, and no blank: times have it. */
function readField(raw: string): Field {
  const sign = raw.search(/=|$/);
  return { raw, name: decoded(raw.slice(0, sign)).toLowerCase(), value: decoded(raw.slice(sign + 1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Address = {
  readonly base: string;
  readonly fields: readonly Field[];
  /** The field that asks for the past. */
  readonly seek: Field | null;
};

function splitAddress(url: string, named: string | null): Address {
  const [base = '', query] = url.split(/\?(.*)/s, 2);
  const fields = query === undefined ? [] : query.split('&').map(readField);
  const names = [...(named === null ? [] : [named.toLowerCase()]), 'playseek', 'tvdr'];
  const said = names.map((name) => fields.find((field) => field.name === name && field.value !== ''));
  return { base, fields, seek: said.find((field) => field !== undefined) ?? null };
}

/** The address with another text in place of its seek, or without it and all of its name. */
function written({ base, fields, seek }: Address, text: string | null): string {
  const kept = fields.flatMap((field) => {
    if (seek === null || field.name !== seek.name) return field.raw;
    return field === seek && text !== null ? replaced(field, text) : [];
  });
  return kept.length === 0 ? base : `${base}?${kept.join('&')}`;
}

/** Percent-encoded where it was. */
function replaced({ raw, value }: Field, text: string): string {
  if (text === value) return raw;
  const sign = raw.indexOf('=');
  return `${raw.slice(0, sign)}=${raw.slice(sign + 1) === value ? text : encodeURIComponent(text)}`;
}

type Answer = Pick<DirectSession, 'url' | 'range' | 'wish' | 'from'>;

function live(address: Address, { now }: How): Answer | Problem {
  const url = written(address, null);
  const { head, template } = templateIn(url);
  if (asksForTimes(template)) return { problem: 'This address has placeholders. Say playseek=BEGIN-END with it.' };
  const asked = { url: head + liveAddress(url.slice(head.length), now), range: null };
  return { ...asked, wish: null, from: () => asked };
}

type Request = How & { readonly address: Address };

function past({ address, now, userAgent }: Request, own: ReadonlyMap<string, string>): Answer | Problem {
  const value = address.seek?.value ?? '';
  if (/[{}$]/.test(value)) return { problem: `A placeholder was left in ${address.seek?.name}. Fill it in.` };
  const zone = userAgentClock(userAgent) ?? utc;
  const start = startOf(own.get('r2h-start') ?? '');
  const offset = readSeekOffset(own.get('r2h-seek-offset') ?? '');
  const seek = readSeek(value, zone);
  const near = nearBegin(value, readSeekMode(own.get('r2h-seek-mode') ?? ''), zone, offset[0], now);
  if (near !== null) return nearLive(address, near);
  const ask = writer({ address, seek, offset, zone, now });
  if (typeof ask !== 'function') return ask;
  // Where the server steps into the programme itself, that is what is moved on.
  const from = (seconds: number): Asked =>
    start === null ? { url: ask(seconds), range: null } : { url: ask(0), range: normalRange(start + seconds) };
  if (seek === null && start === null && address.seek === null) return live(address, { now, userAgent });
  return { ...from(0), wish: wishOf(seek, offset, now), from };
}

/** Seconds of the programme (RFC 2326 §3.6), or null. */
function startOf(text: string): number | null {
  return /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : null;
}

/** The begin of what is so new that the server has it at its live address; null when it is older, or nobody wants that. */
function nearBegin(value: string, mode: NearMode | null, zone: ZoneClock, offset: number, now: number): number | null {
  if (mode === null) return null;
  const seek = readSeek(value, mode.clock ?? zone);
  const begin = seek === null ? null : seek.begin.epoch + offset;
  return begin !== null && begin > now - mode.within ? begin : null;
}

function nearLive(address: Address, begin: number): Answer {
  const url = written(address, null);
  const from = (seconds: number) => ({ url, range: clockRange(begin + seconds) });
  return { ...from(0), wish: { start: begin, end: null }, from };
}

type Moved = Pick<Request, 'address' | 'now'> & {
  readonly seek: Seek | null;
  readonly offset: readonly [begin: number, end: number];
  readonly zone: ZoneClock;
};

/** Gives the address of a begin that is so many seconds later. */
function writer({ address, seek, offset, zone, now }: Moved): ((seconds: number) => string) | Problem {
  if (seek === null) return () => written(address, address.seek?.value ?? null);
  const bare = written(address, null);
  const { head, template } = templateIn(bare);
  if (!asksForTimes(template)) {
    return (seconds) => written(address, writeSeek(seek, [offset[0] + seconds, offset[1]]));
  }
  const end = seek.end === null ? null : seek.end.epoch + offset[1];
  if (template.needsEnd && end === null)
    return { problem: 'This address needs an end. Say it behind the begin, BEGIN-END.' };
  const start = seek.begin.epoch + offset[0];
  return (seconds) => head + expand(template, { start: start + seconds, end, now }, { zone, formatted: 'utc' });
}

/** Accounts and hosts may have any sign in them: what follows is the template. */
function templateIn(url: string): { readonly head: string; readonly template: Template } {
  const [head = ''] = /^rtsp:\/\/[^/?#]*/i.exec(url) ?? [];
  return { head, template: readTemplate(url.slice(head.length)) };
}

function asksForTimes({ tokens }: Template): boolean {
  return tokens.some((token) => {
    if (token.kind === 'epoch' || token.kind === 'time') return token.of !== 'now';
    return token.kind === 'duration' || token.kind === 'offset';
  });
}

/** Of a text that nobody can read, or of steps into a programme, no instant is known: it is as of now. */
function wishOf(seek: Seek | null, offset: readonly [begin: number, end: number], now: number): Wish {
  if (seek === null) return { start: now, end: null };
  const start = seek.begin.epoch + offset[0];
  const end = seek.end === null ? null : seek.end.epoch + offset[1];
  // What is still on the air goes on behind such an end.
  const isOver = end !== null && end > start && Math.abs(end - now) > runningSlack;
  return { start, end: isOver ? end : null };
}

/** Seconds: players put now for an end that they do not know. */
const runningSlack = 120;
