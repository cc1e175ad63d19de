import { isIP } from 'node:net';
import type { Attribute, Headers } from '../../model/entry.js';
import { clean, oneLine } from '../../model/list-text.js';
import { isMulticast } from '../../model/upstream.js';
import type { Direct } from './profile.js';
import { cleanAddress } from './text.js';

/**
 * A provider's address as players want it: groups as `udp://@239.1.1.1:1234`, without which VLC does not join, and no bare
 * `?` at its end, which TiviMate drops although some servers answer nothing without it.
 */
export function directUrl(address: string): string {
  const url = cleanAddress(address).replace(/\?$/, '?live=1');
  const [, scheme, host] = /^((?:udp|rtp):\/\/)(\[[^\]]*\]|[^/?#:@]*)(?!.*@)/i.exec(url) ?? [];
  if (scheme === undefined || host === undefined) return url;
  const literal = host.replace(/^\[|\]$/g, '');
  return isIP(literal) !== 0 && isMulticast(literal) ? `${scheme}@${url.slice(scheme.length)}` : url;
}

/** Whether an address may be given to players: one of a file would be opened on their own machine. */
export function isForPlayers(address: string | null): address is string {
  return address !== null && !/^file:/i.test(address.trim());
}

/** For players that cannot be told headers. */
export function plain(url: string): Direct {
  return { url, attributes: [], directives: [] };
}

/** `url|Name=value&Name=value`, percent-encoded: Kodi, TiviMate, OTT Navigator. */
export function withBar(url: string, headers: Headers): Direct {
  const isHttp = /^(?:https?|rtsp):/i.test(url);
  const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
  const fields = isHttp ? Object.entries(headers).map((field) => field.map(encoded).join('=')) : [];
  return plain(fields.length === 0 ? url : `${url}|${fields.join('&')}`);
}

/** `#EXTVLCOPT:http-user-agent=…`; of the named options only, where some are given. */
export function withOptions(url: string, headers: Headers, known?: ReadonlySet<string>): Direct {
  const directives = Object.entries(headers).flatMap(([name, value]) => {
    const option = optionOf(name);
    return known === undefined || known.has(option) ? [`#EXTVLCOPT:${option}=${oneLine(value)}`] : [];
  });
  return { url, attributes: [], directives };
}

const asAttributes = new Set(['http-user-agent', 'http-referrer', 'http-origin']);

/** As options, and as `http-user-agent="…"` for players that read one or the other. */
export function withEverything(url: string, headers: Headers): Direct {
  const attributes = Object.entries(headers).flatMap(([name, value]): Attribute[] => {
    const option = optionOf(name);
    return asAttributes.has(option) ? [[option, clean(value)]] : [];
  });
  return { ...withOptions(url, headers), attributes };
}

function optionOf(header: string): string {
  const name = oneLine(header).toLowerCase();
  return `http-${name === 'referer' ? 'referrer' : name}`;
}
