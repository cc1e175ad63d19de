import { parseUpstreamPath, parseUpstreamUrl } from '../../model/upstream.js';

/** An address taken apart. The user and password before the host are left out. */
export type Address = {
  /** Empty for multicast, else with the port. */
  readonly host: string;
  /** With its first slash; the group, port and sender of multicast. */
  readonly path: string;
  /** `name=value`, in the order of names, without what only says who asks and until when. */
  readonly query: readonly string[];
};

/** Query keys that hold nothing of a channel: credentials, signatures, times. */
const credentials =
  /token|secret|signature|session|passw|^(?:auth\w*|sign?|hash|md5|expires?|expiry|exp|sid|jwt|nonce|rand(?:om)?|timestamp|time|user(?:name|id)?|pass|pwd|mac|hdn\w+|\w+time|policy|key-pair-id|x-amz-.*|accountinfo|ticket|utc|_)$/i;

const noQuery: readonly string[] = [];

export function readAddress(url: string): Address {
  const group = /^\s*(?:udp|rtp):/i.test(url) ? groupOf(parseUpstreamUrl(url)) : null;
  if (group !== null) return { host: '', path: group, query: noQuery };
  const scheme = url.indexOf('://');
  const start = scheme < 0 ? 0 : scheme + 3;
  const end = endOf(url, start);
  const slash = firstOf(url, '/', start, end);
  const question = firstOf(url, '?', Math.min(slash, end), end);
  const authority = url.slice(start, Math.min(slash, question));
  const path = url.slice(Math.min(slash, question), question);
  const relayed = path.startsWith('/udp/') || path.startsWith('/rtp/') ? groupOf(parseUpstreamPath(path)) : null;
  return {
    host: authority.slice(authority.lastIndexOf('@') + 1).toLowerCase(),
    path: relayed ?? path.replace(/\/+$/, ''),
    query: question < end ? readQuery(url.slice(question + 1, end)) : noQuery,
  };
}

/** What an address leads to: without scheme, host and credentials. */
export function placeOf({ path, query }: Address): string {
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function groupOf(parsed: ReturnType<typeof parseUpstreamUrl>): string | null {
  if (parsed === null || !('upstream' in parsed)) return null;
  const { upstream } = parsed;
  if (upstream.kind === 'rtsp') return null;
  const { address, port, source } = upstream;
  return `${source ?? ''}@${address}:${port}`;
}

function readQuery(text: string): readonly string[] {
  const fields = text.split('&').filter((field) => field !== '' && !credentials.test(nameOf(field)));
  if (fields.length === 0) return noQuery;
  return fields.length === 1 ? fields : fields.sort();
}

/** The name in a field of a query. */
export function nameOf(field: string): string {
  const equals = field.indexOf('=');
  return equals < 0 ? field : field.slice(0, equals);
}

/** Before a fragment, and before the header fields that players write behind an address. */
function endOf(url: string, start: number): number {
  const fragment = firstOf(url, '#', start, url.length);
  return firstOf(url, '|', start, fragment);
}

function firstOf(text: string, sign: string, start: number, end: number): number {
  const at = text.indexOf(sign, start);
  return at < 0 || at > end ? end : at;
}
