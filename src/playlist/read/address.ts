import type { EntryUrl, Headers } from '../../model/entry.js';
import { mergeHeaders, noHeaders, readFields } from './headers.js';

const scheme = /^[a-z][a-z0-9+.-]*:\/\/./i;
/** A path, a query, or a name with an ending of media: a line of prose is no address, and neither is `N/A`. */
const relative =
  /^(?:\/|\.{1,2}\/|[^\s"<>:/?]{2,}\/|[^\s"<>:?]*\?[^\s=]+=|\?|[^\s"<>:]+\.(?:m3u8?|mpd|ts|mp4|mkv|flv|aac|mp3)(?:[?#]|$))[^\s"<>]*$/i;

/**
 * Reads the address of an entry: `url[$label][|Name=value&Name=value]`. A label is told from a `$` that belongs to the
 * address by holding none of `{ } & = ? # /`. A relative one is resolved against the list's own address `base`. Null when
 * it has no scheme and cannot be resolved, or has nothing behind its scheme.
 */
export function readAddress(text: string, base: string | null): EntryUrl | null {
  const bar = text.indexOf('|');
  const fields: Headers = bar < 0 ? noHeaders : mergeHeaders(readFields(text.slice(bar + 1)));
  const address = (bar < 0 ? text : text.slice(0, bar)).trim();
  const dollar = address.includes('$') ? /\$+([^${}&=?#/]*)$/.exec(address) : null;
  const written = dollar === null ? address : address.slice(0, dollar.index).trimEnd();
  const url = scheme.test(written) ? withoutAt(written) : resolve(written, base);
  if (url === null) return null;
  const label = dollar?.[1]?.trim() ?? '';
  return { url, label: label === '' ? null : label, headers: fields };
}

/** The scheme of an address, in lower case. */
export function schemeOf(url: string): string {
  return url.slice(0, Math.max(0, url.indexOf(':'))).toLowerCase();
}

/** A relative address in full, or null: it is none, or what it is relative to is unknown. */
export function resolve(text: string, base: string | null): string | null {
  if (base === null || !relative.test(text) || !URL.canParse(text, base)) return null;
  return new URL(text, base).href;
}

/** VLC's spelling of a group, `udp://@239.1.1.1:1234`, becomes the one without `@`. */
function withoutAt(url: string): string {
  return !url.includes('://@') ? url : url.replace(/^(udp|rtp):\/\/@(?=.)/i, '$1://');
}
