import { Cursor } from './cursor.js';
import { longest } from './element.js';

/** A comment, a CDATA section or a document type; `to` is −1 when its end is not in the window. */
export type Region = { readonly from: number; readonly to: number };

const less = 0x3c;
const exclamation = 0x21;
const commentStart = Buffer.from('<!--');
const sectionStart = Buffer.from('<![CDATA[');
const typeStart = Buffer.from('<!DOCTYPE');
/** Bytes in which a document type ends, or its internal subset begins. */
const longestType = 1000;

/** The stretches of a window in which tags are no tags. They are found by their `!`, which is rare. */
export class Regions {
  readonly #marks = new Cursor(exclamation);
  readonly #commentEnds = new Cursor('-->');
  readonly #sectionEnds = new Cursor(']]>');
  readonly #subsetEnds = new Cursor(']>');
  #known: Region | null = null;
  /** None begins before. */
  #clear = 0;

  readonly #tell: (place: number) => void;

  /** @param tell of one that has no end: it is none, and what seems to lie in it is read. */
  constructor(tell: (place: number) => void) {
    this.#tell = tell;
  }

  /** What hides a place: the region that covers it, or one that begins before it and whose end is still to come. */
  hiding(window: Buffer, from: number, place: number, isEnd: boolean): Region | null {
    for (let start = from; ; ) {
      const region = this.next(window, start, isEnd);
      if (region === null || region.from >= place) return null;
      if (region.to < 0 || region.to > place) return region;
      start = region.to;
    }
  }

  /** The first one that ends behind `from`, or whose end is still to come; null when there is none in the window. */
  next(window: Buffer, from: number, isEnd: boolean): Region | null {
    for (;;) {
      const region = this.#next(window, from);
      if (region === null) return null;
      const size = (region.to < 0 ? window.length : region.to) - region.from;
      if (size <= longest && !(region.to < 0 && isEnd)) return region;
      this.#known = null;
      this.#clear = region.from + 2;
      this.#tell(region.from);
    }
  }

  #next(window: Buffer, from: number): Region | null {
    const known = this.#known;
    if (known !== null && known.to > from) return known;
    // What was not at its end may be so now.
    const start = known !== null && known.to < 0 ? known.from : Math.max(from, this.#clear);
    this.#known = this.#find(window, start);
    return this.#known;
  }

  #find(window: Buffer, start: number): Region | null {
    for (let from = start; ; ) {
      const mark = this.#marks.find(window, from);
      if (mark < 0) return null;
      from = mark + 1;
      if (mark - 1 < start || window[mark - 1] !== less) continue;
      const region = this.#read(window, mark - 1);
      if (region !== null) return region;
    }
  }

  #read(window: Buffer, from: number): Region | null {
    const opener = [commentStart, sectionStart, typeStart].find((bytes) => isAt(window, from, bytes));
    if (opener === undefined) return null;
    const behind = from + opener.length;
    // What is cut off behind `<!` may become one.
    if (behind > window.length) return { from, to: -1 };
    if (opener === typeStart) return this.#documentType(window, from, behind);
    return ended(window, from, behind, opener === commentStart ? this.#commentEnds : this.#sectionEnds);
  }

  /** XML 1.0 §2.8: with an internal subset in square brackets or without. */
  #documentType(window: Buffer, from: number, behind: number): Region | null {
    const start = window.subarray(behind, behind + longestType);
    const subset = start.indexOf('[');
    const end = start.indexOf('>');
    if (end < 0 && subset < 0) return start.length < longestType ? { from, to: -1 } : null;
    if (subset < 0 || (end >= 0 && end < subset)) return { from, to: behind + end + 1 };
    return ended(window, from, behind + subset, this.#subsetEnds);
  }

  shift(bytes: number): void {
    for (const cursor of this.#cursors) cursor.shift(bytes);
    this.#clear = Math.max(0, this.#clear - bytes);
    if (this.#known === null) return;
    const { from, to } = this.#known;
    if (to < 0) this.#known = { from: from - bytes, to };
    else this.#known = to > bytes ? { from: from - bytes, to: to - bytes } : null;
  }

  /** Places may go back once. */
  reset(): void {
    for (const cursor of this.#cursors) cursor.reset();
    this.#known = null;
  }

  get #cursors(): readonly Cursor[] {
    return [this.#marks, this.#commentEnds, this.#sectionEnds, this.#subsetEnds];
  }
}

/** Whether the bytes stand there, as far as the window goes. */
function isAt(window: Buffer, from: number, bytes: Buffer): boolean {
  const size = Math.min(bytes.length, window.length - from);
  return window.compare(bytes, 0, size, from, from + size) === 0;
}

function ended(window: Buffer, from: number, behind: number, ends: Cursor): Region {
  const found = ends.find(window, behind);
  return { from, to: found < 0 ? -1 : found + ends.size };
}
