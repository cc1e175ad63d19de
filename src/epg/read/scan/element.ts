import { Cursor } from './cursor.js';

/** The two elements of a guide that matter; what is in them is read by others. */
export type Kind = {
  readonly name: 'programme' | 'channel';
  /** Bytes of `<` and the name. */
  readonly size: number;
  readonly starts: Cursor;
  readonly ends: Cursor;
};

/** One whose end is looked for, as places in the window. */
export type OpenElement = {
  readonly kind: Kind;
  from: number;
  /** Behind its start tag. */
  content: number;
  /** Its end does not stand before. */
  search: number;
};

export function createKind(name: Kind['name']): Kind {
  return { name, size: name.length + 1, starts: new Cursor(`<${name}`), ends: new Cursor(`</${name}`) };
}

/** Bytes of an element, a comment or a CDATA section. Longer ones have no end, or are an attack. */
export const longest = 1024 * 1024;

const less = 0x3c;
const greater = 0x3e;
/** Bytes. */
const longestTag = 4096;

/** Whether a place lies in a value of a start tag that begins at or behind `floor`. */
export function isInTag(window: Buffer, place: number, floor: number): boolean {
  const open = tagBefore(window, place, floor);
  if (open < 0) return false;
  let quote = 0;
  for (let at = open; at < place; at += 1) {
    const byte = window[at] ?? 0;
    if (quote === 0) quote = byte === 0x22 || byte === 0x27 ? byte : 0;
    else if (byte === quote) quote = 0;
  }
  return quote !== 0;
}

/** Where the tag begins that is not closed before a place; −1 when there is none. */
export function tagBefore(window: Buffer, place: number, floor: number): number {
  const limit = Math.max(floor, place - longestTag);
  for (let at = place - 1; at >= limit; at -= 1) {
    const byte = window[at];
    if (byte === greater) return -1;
    if (byte === less) return at;
  }
  return -1;
}
