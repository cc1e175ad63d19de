import type { Scope } from '../model/access.js';
import type { Change, Job } from '../model/change.js';
import type { ChannelDetail } from '../model/channel.js';
import type { Directive, Entry, Headers } from '../model/entry.js';
import type { GuideSourceStatus } from '../model/guide.js';
import type { SourceStatus } from '../model/source.js';
import type { Upstream } from '../model/stream.js';

/** What stands for something that is not shown. */
const hidden = '…';

/** Names of what is secret wherever it stands: header fields, licences, accounts. */
const secretName = /header|license|cookie|referr?er|auth|passw|token|user(?:name)?$|key/i;

/**
 * Leaves out of texts what only administrators may see: of each address that is no multicast one, all behind its host and
 * the account before it. Providers put accounts in paths and queries alike.
 */
export function redactText(text: string): string {
  // The length of a scheme is bounded, or a long word would be looked through again from each of its letters.
  return text.replace(/([a-z][a-z0-9+.-]{0,19}):\/\/([^\s"'<>]*)/gi, (_whole, scheme: string, rest: string) =>
    shownAddress(scheme, rest),
  );
}

/** The same of what is an address as a whole, whatever characters are in it. */
export function redactAddress(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*):\/\/(.*)$/is, (_whole, scheme: string, rest: string) =>
    shownAddress(scheme, rest),
  );
}

function shownAddress(scheme: string, rest: string): string {
  if (/^(?:udp|rtp|igmp)$/i.test(scheme)) return `${scheme}://${rest}`;
  const [authority = ''] = rest.split(/[/?#|$]/, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return `${scheme}://${host}${/^\/?$/.test(rest.slice(authority.length)) ? '' : `/${hidden}`}`;
}

/** The same of every text in a value; header fields keep only their names. */
export function redactDeep(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactDeep);
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value);
  return Object.fromEntries(
    pairs.map(([name, inner]) => [name, name === 'headers' ? hideAll(inner) : redactDeep(inner)]),
  );
}

/** What a key of that scope may see of something. */
export function shownTo<T>(scope: Scope, value: T, redact: (value: T) => T): T {
  return scope === 'admin' ? value : redact(value);
}

type Fetched = Pick<SourceStatus, 'location' | 'headers' | 'proxy' | 'reason'> & Partial<Pick<SourceStatus, 'catchup'>>;

export function redactSource<T extends Fetched>(source: T): T {
  const { location, headers, proxy, reason } = source;
  return {
    ...source,
    location: redactAddress(location),
    headers: redactHeaders(headers),
    proxy: proxy === null ? null : redactAddress(proxy),
    reason: reason === null ? null : redactText(reason),
    ...(source.catchup === undefined ? {} : { catchup: redactCatchup(source.catchup) }),
  };
}

export function redactGuideSource(source: GuideSourceStatus): GuideSourceStatus {
  const { waiting } = source;
  return { ...redactSource(source), waiting: waiting && redactReason(waiting) };
}

export function redactReason<T extends { readonly reason: string | null }>(value: T): T {
  return { ...value, reason: value.reason === null ? null : redactText(value.reason) };
}

export function redactEntry(entry: Entry): Entry {
  return {
    ...entry,
    urls: entry.urls.map(({ url, label, headers }) => ({
      url: redactAddress(url),
      label,
      headers: redactHeaders(headers),
    })),
    headers: redactHeaders(entry.headers),
    catchup: redactCatchup(entry.catchup),
    attributes: entry.attributes.map(([name, value]) => [
      name,
      secretName.test(name) || name.toLowerCase() === 'catchup-source' ? hidden : redactText(value),
    ]),
    directives: entry.directives.map(redactDirective),
  };
}

export function redactChannel(channel: ChannelDetail): ChannelDetail {
  return { ...channel, override: { ...channel.override, catchup: redactCatchup(channel.override.catchup) } };
}

/** Of streams and viewers: where their media comes from. */
export function redactUpstream<T extends { readonly upstream: Upstream }>(value: T): T {
  const { upstream } = value;
  return upstream.kind === 'rtsp' ? { ...value, upstream: { ...upstream, url: redactAddress(upstream.url) } } : value;
}

export function redactJob(job: Job): Job {
  return { ...job, result: redactDeep(job.result), reason: job.reason === null ? null : redactText(job.reason) };
}

export function redactChange<T extends Change>(change: T): T {
  return { ...change, summary: redactText(change.summary) };
}

/** A row of the change log, as JSON of its table's columns. */
export function redactRow(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row;
  const pairs = Object.entries(row).map(([name, value]) => {
    const secret = value !== null && ['headers', 'proxy', 'content', 'catchup'].includes(name);
    return [name, secret ? hidden : redactDeep(value)];
  });
  return Object.fromEntries(pairs);
}

/** Templates may be no addresses of their own, only what is put behind one. */
function redactCatchup<T extends { readonly source: string | null }>(catchup: T | null): T | null {
  if (catchup === null || catchup.source === null) return catchup;
  return { ...catchup, source: hidden };
}

function redactDirective(directive: Directive): Directive {
  const { name, value } = directive;
  const [, field = '', rest] = /^([^=]*)=(.*)$/s.exec(value) ?? [];
  const secret = /^#?EXTHTTP$/i.test(name) || (rest !== undefined && secretName.test(field));
  if (secret) return { ...directive, value: rest === undefined ? hidden : `${field}=${hidden}` };
  return { ...directive, value: redactText(value) };
}

function redactHeaders(headers: Headers): Headers {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, hidden]));
}

function hideAll(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? null : hidden;
  if (Array.isArray(value)) return value.map(hideAll);
  return Object.fromEntries(Object.keys(value).map((name) => [name, hidden]));
}
