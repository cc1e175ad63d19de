import type { MatchVeto } from '../../model/guide-match.js';
import { type Name, singular } from './name.js';

/** How alike two names are: 0 to 1, and what keeps them apart. */
export type Likeness = { readonly score: number; readonly isSame: boolean; readonly vetoes: readonly MatchVeto[] };

/** Of names that differ in a word that one of them may leave out, such as the feed that is meant without a word. */
const unsaid = 0.15;
/** Words count for more than letters: one that differs by a letter is another one as often as not. */
const ofWords = 0.7;
/** Of a word that the other has in the plural: less than the same word by so much that it is never enough. */
const plural = 0.4;
/** Names that share nothing but numbers. */
const numbersAlone = 0.4;

/** Compares two names; `weight` tells how much a word says. */
export function compareNames(one: Name, other: Name, weight: (word: string) => number): Likeness {
  const vetoes = vetoesOf(one, other);
  if (one.bare !== '' && one.bare === other.bare) return { score: 1, isSame: true, vetoes };
  const words = shareOfWords(one, other, weight);
  const score = ofWords * words + (1 - ofWords) * likenessOfLetters(one.core, other.core);
  const said = one.feed === other.feed ? score : score - unsaid;
  return { score: words === 0 ? Math.min(said, numbersAlone) : said, isSame: false, vetoes };
}

function vetoesOf(one: Name, other: Name): MatchVeto[] {
  const vetoes: MatchVeto[] = [];
  if (one.numbers !== other.numbers) vetoes.push('number');
  if (one.shift !== other.shift) vetoes.push('shift');
  if (one.feed !== null && other.feed !== null && one.feed !== other.feed) vetoes.push('region');
  // A feed for elsewhere is hours apart from the one that is meant without a word.
  if ([one.feed, other.feed].includes('west') && one.feed !== other.feed) vetoes.push('region');
  return [...new Set(vetoes)];
}

/** Of the words of both by weight, those that both have. Numbers are none: those that differ are vetoed. */
function shareOfWords(one: Name, other: Name, weight: (word: string) => number): number {
  const theirs = new Map(other.words.map((word) => [singular(word), word]));
  let shared = 0;
  let all = 0;
  for (const word of one.words) {
    const same = theirs.get(singular(word));
    theirs.delete(singular(word));
    all += weight(word);
    if (same !== undefined) shared += same === word ? weight(word) : plural * weight(word);
  }
  for (const word of theirs.values()) all += weight(word);
  return all === 0 ? 0 : shared / all;
}

/** Dice of pairs of letters: 1 for the same, 0 without a common one. */
function likenessOfLetters(one: string, other: string): number {
  if (one === other) return one === '' ? 0 : 1;
  const pairs = new Map<string, number>();
  for (let at = 0; at < one.length - 1; at += 1) {
    const pair = one.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let at = 0; at < other.length - 1; at += 1) {
    const pair = other.slice(at, at + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    shared += 1;
  }
  const all = Math.max(one.length - 1, 0) + Math.max(other.length - 1, 0);
  return all === 0 ? 0 : (2 * shared) / all;
}
