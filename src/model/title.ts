import { countryOf } from './country.js';
import { fold } from './search.js';

/** What the name of a channel says, taken apart. */
export type Title = {
  /** The name without quality, country and brackets; its numbers, a `+1` and other differences of meaning stay in it. */
  readonly bare: string;
  /** ISO 3166 code in lower case, or null. */
  readonly country: string | null;
  /** What stood in brackets and is none of these, such as a region; empty where there is none. */
  readonly aside: string;
};

const brackets = /[([{<【「〔]([^()[\]{}<>【】「」〔〕]*)[)\]}>】」〕]/gu;
/** `uk: `, `|uk| `, `uk ┃ `, `uk - `. A hyphen alone is part of a name. */
const prefix = /^[\s|:*#•★]*([a-z]{2,3})(?:\s*[|:•★\u2500-\u25ff]+|\s+-\s)/u;
/** A channel an hour late: `+1`, `+24h`. */
const shift = /\+(\d{1,2})h?(?![\p{L}\p{N}])/gu;
const word = /[\p{L}\p{N}\p{M}+&⊕]+/gu;
const qualities = new Set(
  'hd fhd uhd qhd sd hq lq hdr hdr10 hdr10+ fullhd ultrahd 2k 4k 8k hevc avc h264 h265 x264 x265 raw backup vip'.split(
    ' ',
  ),
);
const resolution = /^(?:(?:2160|1440|1080|720|576|540|480|360)[pi]|\d{2}fps)$/;
/** Qualities of two words, and those written without a blank before them. */
const twoWords = /\b(full|ultra|[hx])[ .](hd|26[45])\b/g;
const glued = /(\d)([fu]?hd)\b/g;
const gluedToHan = /(?:超高清|高清|超清|标清|蓝光|(?<=\p{sc=Han})(?:[fu]?hd|[48]k))(?![\p{L}\p{N}])/gu;

/** What is left of a name: its words in their order, what stood in brackets by its words, and the country that it names. */
export type TitleWords = {
  readonly words: readonly string[];
  /** In brackets, but for quality and country. */
  readonly asides: readonly string[];
  readonly country: string | null;
};

/** Takes a name apart: `UK: BBC One FHD (backup)` is "bbcone" of gb. A name that nothing would be left of stays whole. */
export function readTitle(name: string): Title {
  const folded = fold(name);
  const { words, asides, country } = wordsOfFolded(folded);
  const own = asides.length === 0 ? words : [...words, ...asides.filter(hasDigit)];
  const bare = joined(own) || joined(folded.match(word) ?? []);
  return { bare, country, aside: asides.length === 0 ? '' : joined(asides.filter((one) => !hasDigit(one))) };
}

/** The words of a name without quality and country. A shift is a word such as `⊕1`; a name of nothing else has none. */
export function titleWords(name: string): TitleWords {
  return wordsOfFolded(fold(name));
}

function wordsOfFolded(folded: string): TitleWords {
  const asides: string[] = [];
  const outside = folded.replace(brackets, (_, inside: string) => {
    asides.push(inside);
    return ' ';
  });
  const before = countryBefore(outside);
  const words = wordsOf(before === null ? outside : outside.replace(prefix, ''));
  if (asides.length === 0) return { words, asides, country: before };
  const country = before ?? asides.map(countryOf).find((one) => one !== null) ?? null;
  return { words, asides: asides.filter((aside) => countryOf(aside) === null).flatMap(wordsOf), country };
}

/** The country that a folded name, or name of a group, begins with. */
export function countryBefore(text: string): string | null {
  const code = prefix.exec(text)?.[1];
  return code === undefined ? null : countryOf(code);
}

/** The country that a name of a group is, or begins with. */
export function countryOfGroup(group: string): string | null {
  return countryOf(group) ?? countryBefore(fold(group));
}

/** The words that tell one channel from another; a shift is one, `⊕1`, whatever it was written as. */
function wordsOf(text: string): string[] {
  const spaced = spacedOut(text).replace(twoWords, '$1$2').replace(glued, '$1 $2');
  return (spaced.match(word) ?? []).filter((found) => !isQuality(found));
}

/** What few names hold is looked for in those alone: a catalogue has 100,000. */
function spacedOut(text: string): string {
  const shifted = text.includes('+') ? text.replace(shift, ' ⊕$1 ') : text;
  return /[^ -~]/.test(text) ? shifted.replace(gluedToHan, ' ') : shifted;
}

function isQuality(text: string): boolean {
  return qualities.has(text) || (isDigit(text, 0) && resolution.test(text));
}

function hasDigit(text: string): boolean {
  return /\p{N}/u.test(text);
}

/** Blanks and leading zeros make no difference, but between two numbers: `Sport 1 2` is not `Sport 12`. */
function joined(words: readonly string[]): string {
  let whole = '';
  for (const one of words) {
    const isNumber = isDigit(one, 0);
    if (isNumber && isDigit(whole, whole.length - 1)) whole += ' ';
    whole += isNumber ? one.replace(/^0+(?=\d)/, '') : one;
  }
  return whole;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}
