import { isIPv4, isIPv6 } from 'node:net';
import type { DatagramUpstream, RtspUpstream, Upstream } from './stream.js';

/** An upstream, or what is wrong with the text and what to write instead. */
export type ParsedUpstream<U extends Upstream = Upstream> = { readonly upstream: U } | { readonly problem: string };

/** udpxy's port where none is written. */
const defaultPort = 1234;
/** What may stand between an address and its port: udpxy's contract. */
const separators = ':%~+-^';
const escapes: Record<string, string> = { '%3A': ':', '%40': '@', '%5B': '[', '%5D': ']', '%25': '%' };

/**
 * Reads `udp://` and `rtp://` as lists write them: `[source]@group[:port]`, IPv6 in brackets, port 1234 where none is given; and
 * `rtsp://[user[:password]@]host[:port][/…]`. Null when the scheme is another one.
 */
export function parseUpstreamUrl(url: string): ParsedUpstream | null {
  const session = /^(rtsp[su]?):\/\/(.*)$/is.exec(url.trim());
  if (session !== null) return parseSession(session[1]?.toLowerCase() ?? '', session[2] ?? '', url.trim());
  const match = /^(udp|rtp):\/\/([^/?#]*)/i.exec(url.trim());
  if (match === null) return null;
  return parseAuthority(match[1]?.toLowerCase() === 'rtp' ? 'rtp' : 'udp', match[2] ?? '', ':');
}

/**
 * Reads the path of a direct request, `/udp/…` or `/rtp/…`, raw as it stood in the request line:
 * `[source@]group{: % ~ + - ^}port[/ignored][?tail]`. Null when the path is not of that form at all.
 * Only `%3A %40 %5B %5D %25` are decoded; any other `%` after an address is the separator.
 */
export function parseUpstreamPath(rawPath: string): ParsedUpstream<DatagramUpstream> | null {
  const match = /^\/{1,2}(udp|rtp)(?:\/([^/?]*))?(?:[/?]|$)/.exec(rawPath);
  if (match === null) return null;
  return parseAuthority(match[1] === 'rtp' ? 'rtp' : 'udp', decoded(match[2] ?? ''), separators);
}

/**
 * Reads the path of a direct request, `/rtsp/[user[:password]@]host[:port][/path][?query]`, raw as it stood in the request line. Null
 * when the path is not of that form at all. Path and query stay as they are, but for the parameters that are ours: `ifname`,
 * `snapshot` and all that begin with `r2h-`.
 */
export function parseRtspPath(rawPath: string): ParsedUpstream<RtspUpstream> | null {
  const [, authority, path = '', query] = /^\/{1,2}rtsp\/([^/?]*)([^?]*)(?:\?(.*))?$/s.exec(rawPath) ?? [];
  if (authority === undefined) return null;
  const theirs = query?.split('&').filter((field) => !/^(?:ifname|snapshot|r2h-[^=]*)(?:=|$)/i.test(field)) ?? [];
  const rest = `${decoded(authority)}${path}${theirs.length === 0 ? '' : `?${theirs.join('&')}`}`;
  return parseSession('rtsp', rest, `rtsp://${rest}`);
}

function decoded(authority: string): string {
  return authority.replace(/%(?:3A|40|5B|5D|25)/gi, (code) => escapes[code.toUpperCase()] ?? code);
}

/**
 * The address in the form that lists and players write: `udp://@239.1.1.1:1234`, `rtp://10.0.0.1@239.1.1.1:1234`. Of a session of
 * RTSP only `rtsp://host:port/…`: accounts and signatures stand in the rest.
 */
export function formatUpstream(upstream: Upstream): string {
  if (upstream.kind === 'rtsp') {
    const [, host = ''] = /^rtsp:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(upstream.url) ?? [];
    return `rtsp://${host}/…`;
  }
  const { kind, address, port, source } = upstream;
  const sender = source === null ? '' : bracketed(source);
  const at = source !== null || isMulticast(address) ? '@' : '';
  return `${kind}://${sender}${at}${bracketed(address)}:${port}`;
}

/** Whether an IPv4 or IPv6 literal is a group: 224.0.0.0/4 (RFC 5771) or ff00::/8 (RFC 4291 §2.7). */
export function isMulticast(address: string): boolean {
  if (isIPv4(address)) {
    const first = Number.parseInt(address, 10);
    return first >= 224 && first <= 239;
  }
  return isIPv6(address) && /^ff/i.test(address);
}

function bracketed(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}

/** `rest` is what stands behind the scheme. */
function parseSession(scheme: string, rest: string, url: string): ParsedUpstream<RtspUpstream> {
  if (scheme !== 'rtsp') {
    return { problem: `Weir does not speak ${scheme}. Write rtsp:// if the server knows that too.` };
  }
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const target = splitPort(host, ':');
  const isHost = target !== null && (host.startsWith('[') ? isIPv6(target.address) : /^[^[\]]+$/.test(target.address));
  // Either would end a line of the request, or a part of it.
  if (!isHost || /[\s\p{Cc}]/u.test(url)) return { problem: `"${host}" is not a host. Write rtsp://host[:port]/path.` };
  const { port } = target;
  if (port !== null && !isPort(port)) return { problem: notAPort(port) };
  return { upstream: { kind: 'rtsp', url, interface: null } };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
}

function notAPort(text: string): string {
  return `"${text}" is not a port. A port is a number from 1 to 65535.`;
}

function parseAuthority(
  kind: DatagramUpstream['kind'],
  authority: string,
  allowed: string,
): ParsedUpstream<DatagramUpstream> {
  const at = authority.lastIndexOf('@');
  const source = at > 0 ? unbracketed(authority.slice(0, at)) : null;
  const target = splitPort(authority.slice(at + 1), allowed);
  if (target === null || !isAddress(target.address)) {
    return { problem: `"${authority}" is not an address. Write [source@]group:port, an IPv6 address in brackets.` };
  }
  const port = target.port === null ? defaultPort : Number(target.port);
  if (target.port !== null && !isPort(target.port)) return { problem: notAPort(target.port) };
  if (source !== null && !(isAddress(source) && isIPv6(source) === isIPv6(target.address) && !isMulticast(source))) {
    return { problem: `"${source}" is not the address of a sender of ${target.address}.` };
  }
  return { upstream: { kind, address: target.address.toLowerCase(), port, source, interface: null } };
}

/** Splits at the port; an IPv6 address must stand in brackets. Null when a bracket is not closed. */
function splitPort(text: string, allowed: string): { address: string; port: string | null } | null {
  if (text.startsWith('[')) {
    const end = text.indexOf(']');
    if (end < 0) return null;
    const rest = text.slice(end + 1);
    if (rest === '') return { address: text.slice(1, end), port: null };
    return allowed.includes(rest.charAt(0)) ? { address: text.slice(1, end), port: rest.slice(1) } : null;
  }
  for (let index = 0; index < text.length; index += 1) {
    if (allowed.includes(text.charAt(index))) return { address: text.slice(0, index), port: text.slice(index + 1) };
  }
  return { address: text, port: null };
}

function unbracketed(text: string): string {
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
}

function isAddress(text: string): boolean {
  return isIPv4(text) || (isIPv6(text) && !text.includes('%'));
}
