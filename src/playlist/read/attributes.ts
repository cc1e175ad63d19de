import type { Attribute } from '../../model/entry.js';
import { findKey, isBlank, skipBlanks } from './scan.js';

type Scan = {
  readonly attributes: Attribute[];
  /** Where the name starts, behind the comma that ends the attributes; null when there is no such comma. */
  readonly nameStart: number | null;
};

/** Of one line; no provider writes a tenth of that. */
export const mostAttributes = 1000;
/** As nearly all are written: the general rules come to the same, and are slower. */
const tidyPair = /\s*([\w-]+)="([^"]*)"(?=\s+[\w-]+="|,[^"]*$)/y;
const known = /\s+(?:tvg-[a-z]+|group-title|catchup[a-z-]*|radio)\s*=/iy;
const bare = /\s*(?:tvg-[a-z]+|group-title)\s*=\s*[^\s,]/iy;
/** Just before a quote: this one opens the next attribute, so the value before it was never closed. */
const opening = /\s[\w-]+\s*=\s*$/;
/** The longest key, with blanks, that is looked for before a quote. */
const longestKey = 64;

/**
 * Reads `key="value"` pairs from `start` on, as providers write them: quotes of both kinds or none, quotes inside values,
 * quotes never closed, blanks around `=`, commas between pairs. Stops at the comma before the name.
 */
export function scanAttributes(text: string, start: number): Scan {
  return new Scanner(text, true).scan(start);
}

/** The same of a list's first line, which has no name: a comma belongs to a value, or stands between pairs. */
export function scanHeader(text: string, start: number): Attribute[] {
  return new Scanner(text, false).scan(start).attributes;
}

class Scanner {
  readonly #text: string;
  readonly #hasName: boolean;
  readonly #attributes: Attribute[] = [];
  /** The last comma, and the last full-width one, which separates only where no other follows; -1 without one. */
  readonly #comma: number;
  readonly #wideComma: number;

  constructor(text: string, hasName: boolean) {
    this.#text = text;
    this.#hasName = hasName;
    this.#comma = text.lastIndexOf(',');
    this.#wideComma = text.lastIndexOf('，');
  }

  scan(start: number): Scan {
    const text = this.#text;
    let at = this.#tidyPairs(start);
    while (at < text.length) {
      if (isBlank(text.charCodeAt(at))) at += 1;
      else if (!this.#isComma(at)) at = this.#pair(at);
      else if (this.#hasName && !this.#isPairAt(at + 1)) return { attributes: this.#attributes, nameStart: at + 1 };
      else at += 1;
    }
    return { attributes: this.#attributes, nameStart: null };
  }

  /** Whether what stands behind a comma is one more pair, and not the name: in quotes, or of a known key with a name to come. */
  #isPairAt(at: number): boolean {
    bare.lastIndex = at;
    return isQuotedPair(this.#text, at) || (this.#comma > at && bare.test(this.#text));
  }

  /** Where the pairs that are written without any fault end. */
  #tidyPairs(start: number): number {
    let at = start;
    for (;;) {
      tidyPair.lastIndex = at;
      const pair = tidyPair.exec(this.#text);
      if (pair === null) return at;
      this.#add(pair[1] ?? '', (pair[2] ?? '').trim());
      at = tidyPair.lastIndex;
    }
  }

  #add(name: string, value: string): void {
    if (this.#attributes.length < mostAttributes) this.#attributes.push([name, value]);
  }

  #isComma(at: number): boolean {
    const char = this.#text.charAt(at);
    return char === ',' || (char === '，' && this.#comma < at);
  }

  /** Reads one pair, or skips one word that is none. Returns where it ends. */
  #pair(at: number): number {
    const text = this.#text;
    const keyEnd = skipUntil(text, at, endsKey);
    const equals = skipBlanks(text, keyEnd);
    if (keyEnd === at || text.charAt(equals) !== '=') return Math.max(at + 1, skipUntil(text, at, endsJunk));
    const start = skipBlanks(text, equals + 1);
    const value = this.#value(start, start > equals + 1);
    this.#add(text.slice(at, keyEnd), value.text);
    return value.end;
  }

  #value(start: number, isApart: boolean): Value {
    const quote = this.#text.charAt(start);
    if (quote === '"' || quote === "'") return this.#quoted(start + 1, quote);
    // `a= b="…"`: nothing was written of `a`.
    return isApart && isQuotedPair(this.#text, start) ? { text: '', end: start } : this.#bare(start);
  }

  #quoted(start: number, quote: string): Value {
    const text = this.#text;
    for (let at = text.indexOf(quote, start); at >= 0; at = text.indexOf(quote, at + 1)) {
      if (this.#closes(at, quote)) return { text: text.slice(start, at).trim(), end: at + 1 };
      const unclosed = opening.exec(text.slice(Math.max(start, at - longestKey), at));
      if (unclosed !== null) return this.#upTo(start, at - unclosed[0].length);
    }
    const end = this.#finalComma(start);
    const close = this.#closeBeforeWords(start, end, quote);
    return close === null ? this.#upTo(start, end) : { text: text.slice(start, close).trim(), end: close + 1 };
  }

  /** Of `a="x" words,Name` the quote before the words: the last one, when those before it are pairs inside the value. */
  #closeBeforeWords(start: number, end: number, quote: string): number | null {
    const pieces = this.#text.slice(start, end).split(quote);
    const last = end - (pieces.at(-1)?.length ?? 0) - 1;
    return pieces.length % 2 === 0 && isBlank(this.#text.charCodeAt(last + 1)) ? last : null;
  }

  /**
   * Whether a quote ends its value: a comma, a key or nothing follows. A comma does not when the next quote has a known
   * key behind it: then that one ends the value.
   */
  #closes(at: number, quote: string): boolean {
    const text = this.#text;
    const behind = skipBlanks(text, at + 1);
    if (behind === text.length) return true;
    const char = text.charAt(behind);
    if (char !== ',' && char !== '，') return findKey(text, behind) !== null;
    const next = text.indexOf(quote, behind);
    known.lastIndex = next + 1;
    return next < 0 || !known.test(text);
  }

  /** Up to the next key, or the final comma. */
  #bare(start: number): Value {
    const text = this.#text;
    const limit = this.#finalComma(start);
    let at = start;
    while (at < limit) {
      const char = text.charCodeAt(at);
      if (!isBlank(char) && !(this.#hasName && isCommaCode(char))) at += 1;
      else if (findKey(text, at + 1) !== null) break;
      else at = Math.max(at + 1, skipBlanks(text, at + 1));
    }
    return this.#upTo(start, Math.min(at, limit));
  }

  #finalComma(start: number): number {
    if (!this.#hasName) return this.#text.length;
    if (this.#comma >= start) return this.#comma;
    return this.#wideComma >= start ? this.#wideComma : this.#text.length;
  }

  #upTo(start: number, end: number): Value {
    return { text: this.#text.slice(start, end).trim(), end };
  }
}

type Value = { readonly text: string; readonly end: number };

function skipUntil(text: string, start: number, ends: (code: number) => boolean): number {
  let at = start;
  while (at < text.length && !ends(text.charCodeAt(at))) at += 1;
  return at;
}

/** A blank, `=`, a comma or a quote. */
function endsKey(code: number): boolean {
  return code === 0x3d || code === 0x22 || code === 0x27 || endsJunk(code);
}

function endsJunk(code: number): boolean {
  return isCommaCode(code) || isBlank(code);
}

function isCommaCode(code: number): boolean {
  return code === 0x2c || code === 0xff0c;
}

/** Whether `key="` stands there: then the comma before it does not start the name. */
function isQuotedPair(text: string, start: number): boolean {
  const key = findKey(text, start);
  if (key === null) return false;
  const quote = text.charAt(skipBlanks(text, key.value));
  return quote === '"' || quote === "'";
}

/** The first value of an attribute that is not blank, or null; the name in lower case. */
export function attributeOf(attributes: readonly Attribute[], name: string): string | null {
  for (const [key, value] of attributes) {
    if (key.length === name.length && value !== '' && (key === name || key.toLowerCase() === name)) return value;
  }
  return null;
}

/** The same of the first of several names that has one. */
export function attributeOfAny(attributes: readonly Attribute[], names: readonly string[]): string | null {
  for (const name of names) {
    const value = attributeOf(attributes, name);
    if (value !== null) return value;
  }
  return null;
}
