import { parseElements, type XmlElement } from './parse.js';

/** Elements of a programme that say one of a few things, each written in the same way again and again. */
const names = new Set([
  ...['category', 'date', 'length', 'country', 'language', 'orig-language', 'video', 'audio'],
  ...['rating', 'star-rating', 'subtitles', 'new', 'premiere', 'episode-num'],
]);
/** Characters of one. */
const longest = 80;
const most = 2000;

/** Keyed by how they are written; null for those that were met once. */
const known = new Map<string, XmlElement | null>();

/** The child of a programme that is written from there to there, once it was met before; null for one that is to be read with its programme. */
export function repeated(name: string, text: string, from: number, to: number): XmlElement | null {
  if (to - from > longest || !names.has(name)) return null;
  const written = text.slice(from, to);
  const found = known.get(written);
  return found ?? meet(written, found === null);
}

function meet(written: string, isAgain: boolean): XmlElement | null {
  // A part of a text keeps the whole of it in memory.
  const copy = Buffer.from(written).toString();
  const [element = null] = isAgain ? parseElements([copy]) : [];
  if (known.size >= most) known.clear();
  known.set(copy, element);
  return element;
}
