import type { EntryUrl } from './entry.js';
import { mergeHeaders, noHeaders } from './headers.js';

/**
 * Reads the address of an entry: `url[$label][|Name=value&Name=value]`. A label is told from a `$` that belongs to the
 * address by holding none of `{ } & = ? # /`. Null when it has no scheme, or nothing behind it.
 */
export function readAddress(text: string): EntryUrl | null {
  const bar = text.indexOf('|');
  const fields = bar < 0 ? '' : text.slice(bar + 1);
  const address = (bar < 0 ? text : text.slice(0, bar)).trim();
  const dollar = /\$([^${}&=?#/]*)$/.exec(address);
  const url = dollar === null ? address : address.slice(0, dollar.index).trimEnd();
  if (!/^[a-z][a-z0-9+.-]*:\/\/./i.test(url)) return null;
  const label = dollar?.[1]?.trim() ?? '';
  return { url: withoutAt(url), label: label === '' ? null : label, headers: readFields(fields) };
}

/** The scheme of an address, in lower case. */
export function schemeOf(url: string): string {
  return url.slice(0, Math.max(0, url.indexOf(':'))).toLowerCase();
}

/** VLC's spelling of a group, `udp://@239.1.1.1:1234`, becomes the one without `@`. */
function withoutAt(url: string): string {
  return !url.includes('://@') ? url : url.replace(/^(udp|rtp):\/\/@(?=.)/i, '$1://');
}

/** `Name=value&Name=value`, also separated by `|`; `!` before a name marks one that Kodi does not know. */
function readFields(text: string): EntryUrl['headers'] {
  if (text === '') return noHeaders;
  const pairs = text.split(/[&|]/).flatMap((field): [string, string][] => {
    const equals = field.indexOf('=');
    if (equals < 1) return [];
    return [[decode(field.slice(0, equals)).replace(/^!/, '').trim(), decode(field.slice(equals + 1)).trim()]];
  });
  return mergeHeaders(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
