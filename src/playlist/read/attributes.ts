import type { Attribute } from './entry.js';

type Scan = {
  readonly attributes: Attribute[];
  /** Where the name starts, behind the comma that ends the attributes; null when there is no such comma. */
  readonly nameStart: number | null;
};

const key = /([^\s=,，"']+)\s*=\s*/y;
const junk = /[^\s,，]+|./y;
/** Behind a comma: one more attribute, so that the comma does not start the name. */
const quotedAttribute = /\s*[\w-]+\s*=\s*["']/y;
/** What may follow the quote that ends a value. */
const behindValue = /\s*(?:$|[,，]|[\w-]+\s*=)/y;
/** A comma behind a quote that belongs to the value still, because a known attribute follows its next quote. */
const insideValue = /\s*[,，][^"]*"\s+(?:tvg-[a-z]+|group-title|catchup[a-z-]*|radio)\s*=/iy;
/** Just before a quote: this one opens the next attribute, so the value before it was never closed. */
const opening = /\s[\w-]+\s*=\s*$/;
const nextKey = /[\s,，]\s*[\w-]+\s*=/g;

/**
 * Reads `key="value"` pairs from `start` on, as providers write them: quotes of both kinds or none, quotes inside values,
 * quotes never closed, blanks around `=`, commas between pairs. Stops at the comma before the name.
 */
export function scanAttributes(text: string, start: number): Scan {
  const attributes: Attribute[] = [];
  const commas = { ascii: text.lastIndexOf(','), wide: text.lastIndexOf('，') };
  let at = start;
  while (at < text.length) {
    const char = text.charAt(at);
    if (/\s/.test(char)) {
      at += 1;
    } else if (isSeparator(text, at, commas)) {
      if (!matches(quotedAttribute, text, at + 1)) return { attributes, nameStart: at + 1 };
      at += 1;
    } else {
      at = scanPair(text, at, commas, attributes);
    }
  }
  return { attributes, nameStart: null };
}

/** Where the last one of each kind stands in the line; looked for once, because a line may hold many pairs. */
type Commas = { readonly ascii: number; readonly wide: number };

/** A full-width comma separates only where no ASCII comma follows. */
function isSeparator(text: string, at: number, { ascii }: Commas): boolean {
  const char = text.charAt(at);
  return char === ',' || (char === '，' && ascii < at);
}

/** Reads one pair, or skips one word that is none. Returns where it ends. */
function scanPair(text: string, at: number, commas: Commas, attributes: Attribute[]): number {
  key.lastIndex = at;
  const found = key.exec(text);
  if (found === null) {
    junk.lastIndex = at;
    return at + (junk.exec(text)?.[0].length ?? 1);
  }
  const start = at + found[0].length;
  const quote = text.charAt(start);
  const isQuoted = quote === '"' || quote === "'";
  const value = isQuoted ? quotedValue(text, start + 1, quote, commas) : bareValue(text, start, commas);
  attributes.push([found[1] ?? '', value.text.trim()]);
  return value.end;
}

type Value = { readonly text: string; readonly end: number };

function quotedValue(text: string, start: number, quote: string, commas: Commas): Value {
  for (let at = text.indexOf(quote, start); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (matches(behindValue, text, at + 1) && !matches(insideValue, text, at + 1)) {
      return { text: text.slice(start, at), end: at + 1 };
    }
    const unclosed = opening.exec(text.slice(Math.max(start, at - 64), at));
    if (unclosed !== null) {
      const end = at - unclosed[0].length;
      return { text: text.slice(start, end), end };
    }
  }
  return upTo(text, start, finalComma(text, start, commas));
}

/** Up to the next key, or the final comma. */
function bareValue(text: string, start: number, commas: Commas): Value {
  const comma = finalComma(text, start, commas);
  nextKey.lastIndex = start;
  const next = nextKey.exec(text)?.index ?? text.length;
  return upTo(text, start, Math.min(next, comma));
}

function finalComma(text: string, start: number, { ascii, wide }: Commas): number {
  if (ascii >= start) return ascii;
  return wide >= start ? wide : text.length;
}

function upTo(text: string, start: number, end: number): Value {
  return { text: text.slice(start, end), end };
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The first value of the first of these names that has one that is not blank; names in lower case. */
export function attributeOf(attributes: readonly Attribute[], ...names: readonly string[]): string | null {
  for (const name of names) {
    for (const [key, value] of attributes) {
      if (value !== '' && key.length === name.length && key.toLowerCase() === name) return value;
    }
  }
  return null;
}
