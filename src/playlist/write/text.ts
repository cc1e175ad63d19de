import type { Channel } from '../../model/channel.js';

/** Quick tests, so that most names of a long list are looked at once and left alone. */
const unwanted = /["=#\p{Cc}\p{Zl}\p{Zp}]/u;
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** FongMi takes a list that holds it anywhere for a TXT list. */
const genre = /#(?=genre#)/gi;
/** Kodi finds these words anywhere in an entry's line, even inside the value of another attribute. */
const markers =
  /((?:tvg-(?:id|name|logo|chno|shift|rec)|ch-number|group-title|radio|realtime|timeshift|catchup(?:-[a-z]+)?|provider(?:-[a-z]+)?|media(?:-[a-z]+)?))=/gi;

/**
 * One line without quotation marks, safe inside `key="value"` and behind it: `"` becomes `'`, control characters and line
 * separators become a blank, and a word such as `media=`, which Kodi would take for an attribute, is written `media＝`.
 */
export function clean(text: string): string {
  if (!unwanted.test(text)) return text.trim();
  return oneLine(text.replaceAll('"', "'")).replace(markers, '$1＝');
}

/** Control characters and line separators become a blank; `#genre#`, which is a line of TXT lists, becomes `＃genre#`. */
export function oneLine(text: string): string {
  return text.replace(breaks, ' ').replace(genre, '＃').trim();
}

/** The same as `clean` for an address: what must not stand in it is percent-encoded, which servers read alike (RFC 3986 §2.4). */
export function cleanAddress(address: string): string {
  return oneLine(address).replace(/[ "|]/g, encodeURIComponent).replace(markers, encodeFirst);
}

function encodeFirst(marker: string): string {
  return `%${marker.charCodeAt(0).toString(16).toUpperCase()}${marker.slice(1)}`;
}

export function asIs(text: string): string {
  return text;
}

/** Many players cut a name at its last comma. */
export function withoutCommas(text: string): string {
  return text.includes(',') ? text.replace(/\s*,\s*/g, '，') : text;
}

/** The id that a channel has in lists, and has to have in the guide: never empty, as Kodi takes the duration for it then. */
export function guideId({ tvgId, key }: Pick<Channel, 'tvgId' | 'key'>): string {
  return tvgId === null ? key : clean(tvgId) || key;
}

/** Seconds as hours that Kodi, which multiplies and cuts fractions of a second off, reads back to the second. */
export function hours(seconds: number): string {
  const wanted = Math.abs(seconds);
  const millionths = Math.ceil((wanted / 3600) * 1e6);
  const isShort = (millionths / 1e6) * 3600 < wanted;
  return `${seconds < 0 ? '-' : ''}${(isShort ? millionths + 1 : millionths) / 1e6}`;
}

/** For players that know `7` and `7.10` alone: `7-10` is the same. Null for anything else. */
export function decimalNumber(number: string): string | null {
  const [, major, minor] = /^(\d+)(?:[.-](\d+))?$/.exec(number) ?? [];
  if (major === undefined) return null;
  return minor === undefined ? major : `${major}.${minor}`;
}

/**
 * Eight hexadecimal digits that change with the address that a logo comes from, so that players fetch it anew
 * (FNV-1a of 32 bits over UTF-16 units: a cryptographic hash would take as long as the whole list).
 */
export function logoVersion(address: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < address.length; index += 1) {
    hash = Math.imul(hash ^ address.charCodeAt(index), 0x01000193);
  }
  return hexadecimal(hash >>> 16) + hexadecimal(hash & 0xffff);
}

/** Of 16 bits at a time: numbers beyond 31 bits take V8 five times as long. */
function hexadecimal(half: number): string {
  return half.toString(16).padStart(4, '0');
}
