import { Cursor } from './cursor.js';
import { isBlank } from './start-tag.js';

/** The two elements of a guide that matter; what is in them is read by others. */
export type Kind = {
  readonly name: 'programme' | 'channel';
  /** Bytes of `<` and the name. */
  readonly size: number;
  /** The first letter of the name. */
  readonly initial: number;
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
  return { name, size: name.length + 1, initial: name.charCodeAt(0), ends: new Cursor(`</${name}`) };
}

/** Bytes of an element, a comment or a CDATA section. Longer ones have no end, or are an attack. */
export const longest = 1024 * 1024;

const less = 0x3c;
const greater = 0x3e;
const slash = 0x2f;
const guideEnd = Buffer.from('</tv');
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

/** Whether the guide ends between two places: its end tag begins there. */
export function isGuideEnd(window: Buffer, from: number, to: number): boolean {
  const between = window.subarray(from, Math.max(from, to + guideEnd.length - 1));
  for (let at = between.indexOf(guideEnd); at >= 0; at = between.indexOf(guideEnd, at + 1))
    if (isNameEnd(window[from + at + guideEnd.length] ?? greater)) return true;
  return false;
}

/** Whether the name of an element ends with the byte before this one. */
export function isNameEnd(byte: number): boolean {
  return byte === greater || byte === slash || isBlank(byte);
}
