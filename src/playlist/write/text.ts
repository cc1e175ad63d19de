import { markers, oneLine } from '../../model/list-text.js';

/** The same as `clean` for an address: what must not stand in it is percent-encoded, which servers read alike (RFC 3986 §2.4). */
export function cleanAddress(address: string): string {
  return oneLine(address).replace(/[ "|]/g, encodeURIComponent).replace(markers, encodeFirst);
}

/** The same for a template of addresses: what stands in its placeholders, bars too, stays as it is. */
export function cleanTemplate(template: string): string {
  return oneLine(template).replaceAll('"', '%22').replace(markers, encodeFirst);
}

function encodeFirst(marker: string): string {
  return `%${marker.charCodeAt(0).toString(16).toUpperCase()}${marker.slice(1)}`;
}

export function asIs(text: string): string {
  return text;
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
