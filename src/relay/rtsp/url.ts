import { RtspFault } from './reasons.js';

/** An address of RTSP by its parts. Nothing of it is written anew: signatures cover the spelling. */
export type RtspAddress = {
  /** As it stands in request lines: as it was given, without account. */
  readonly target: string;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  readonly account: { readonly user: string; readonly password: string } | null;
};

const defaultPort = 554;

/** Splits `rtsp://[user[:password]@]host[:port][/…]`. @throws RtspFault `invalid` when it is none. */
export function readAddress(url: string): RtspAddress {
  const [, scheme, authority, rest] = /^(rtsp:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (scheme === undefined || authority === undefined || rest === undefined || /[\s\p{Cc}]/u.test(url)) {
    throw new RtspFault('invalid', 'The address is none of RTSP. Write rtsp://host[:port]/path.');
  }
  const at = authority.lastIndexOf('@');
  const place = authority.slice(at + 1);
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{0,5}))?$/.exec(place) ?? [];
  const host = bracketed ?? plain;
  const port = digits === undefined || digits === '' ? defaultPort : Number(digits);
  if (host === undefined || port < 1 || port > 65535) {
    throw new RtspFault('invalid', `"${place}" is not a host. Write rtsp://host[:port]/path.`);
  }
  return {
    target: `${scheme}${place}${rest}`,
    host,
    port,
    account: at < 0 ? null : readAccount(authority.slice(0, at)),
  };
}

/** Host and port as they are shown. */
export function placeOf({ host, port }: Pick<RtspAddress, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** An address that a server gave, which may be relative to the one that was asked for (RFC 3986 §5.2, nothing normalised). */
export function resolve(asked: string, given: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(given)) return given;
  const [, origin = '', path = ''] = /^([a-z]+:\/\/[^/?#]*)([^?#]*)/i.exec(asked) ?? [];
  if (given.startsWith('//')) return `rtsp:${given}`;
  if (given.startsWith('/')) return origin + given;
  if (given.startsWith('?')) return origin + path + given;
  return `${origin}${path.slice(0, path.lastIndexOf('/') + 1) || '/'}${given}`;
}

/**
 * Where SETUP goes (RFC 2326 annex C.1.1): `control` of the chosen section put behind the server's own base, or behind the address
 * that was asked for. The query of that one is no part of a base: it goes behind again.
 */
export function trackAddress(asked: string, base: string | null, control: string | null): string {
  const given = base === null || base === '' ? null : resolve(asked, base);
  if (control === null || control === '' || control === '*') return given ?? asked;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(control)) return control;
  if (given !== null) return joined(given, control);
  const [path = '', query] = asked.split(/\?(.*)/s, 2);
  return query === undefined || control.includes('?') ? joined(path, control) : `${joined(path, control)}?${query}`;
}

function joined(base: string, control: string): string {
  if (!control.startsWith('/')) return `${base}${base.endsWith('/') ? '' : '/'}${control}`;
  const [, origin = '', path = ''] = /^([a-z]+:\/\/[^/?#]*)([^?#]*)/i.exec(base) ?? [];
  // Some write the whole path, as RFC 1808 has it, others mean the base by it.
  const isWhole = path.length > 1 && control.startsWith(path.endsWith('/') ? path : `${path}/`);
  return isWhole ? origin + control : base.replace(/\/$/, '') + control;
}

function readAccount(text: string): { user: string; password: string } {
  const colon = text.indexOf(':');
  const user = colon < 0 ? text : text.slice(0, colon);
  return { user: decoded(user), password: colon < 0 ? '' : decoded(text.slice(colon + 1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // It was written with a bare % in it.
    return text;
  }
}
