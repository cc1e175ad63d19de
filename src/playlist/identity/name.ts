import { readTitle, type Title } from '../../model/title.js';

/** What stands between the words of a name: blanks, punctuation, and ASCII signs but `+`, since "Canal+" is not "Canal". */
const gap = /(?:[\s\p{P}\p{Z}\p{C}|^`~=<>$]|\u{fe0e}|\u{fe0f})+/gu;
const asciiGap = /[^a-z0-9+]+/g;
const nameless = /^\s*(?:unnamed|no name|[a-z][a-z0-9+.-]*:\/\/.*)?$/i;

/** Whether a name is an address, or stands for none. */
export function isNameless(title: string): boolean {
  return nameless.test(title);
}

/**
 * A name without case, width, blanks and punctuation; what parts two numbers stays, as "Sport 1.1" is not "Sport 11". Marks of
 * quality are kept: "News HD" and "News SD" are two channels. Empty where nothing is named.
 */
export function bareName(title: string): string {
  const isAscii = /^[\0-\x7f]*$/.test(title);
  const folded = (isAscii ? title : title.normalize('NFKC')).toLowerCase().trim();
  if (isNameless(folded)) return '';
  const bare = folded.replace(isAscii ? asciiGap : gap, (found, at: number) =>
    isDigit(folded, at - 1) && isDigit(folded, at + found.length) ? '.' : '',
  );
  return bare === '' ? folded : bare;
}

/** Whether two names differ in quality, country and brackets at most. */
export function haveOneCore(one: string, other: string): boolean {
  const [a, b] = [readTitle(one), readTitle(other)];
  const isAnywhere = a.country === null || b.country === null || a.country === b.country;
  return a.bare !== '' && a.bare === b.bare && a.aside === b.aside && isAnywhere;
}

/** Whether one name reads as a spelling of the other: it holds it, or shares most pairs of letters, with the same numbers. */
export function areSpellings(one: string, other: string): boolean {
  const [a, b] = [readTitle(one), readTitle(other)];
  return haveSameNumbers(a, b) && (holds(a.bare, b.bare) || holds(b.bare, a.bare) || likeness(a.bare, b.bare) >= 0.6);
}

function haveSameNumbers(a: Title, b: Title): boolean {
  const numbers = ({ bare }: Title) => (bare.match(/\p{N}+/gu) ?? []).join(' ');
  return numbers(a) === numbers(b);
}

function holds(whole: string, part: string): boolean {
  return part.length >= (/^[\0-\x7f]*$/.test(part) ? 3 : 2) && whole.includes(part);
}

/** Share of pairs of letters that two texts have in common, 0 to 1 (Dice's coefficient). */
function likeness(a: string, b: string): number {
  const left = pairsOf(a);
  const pairs = pairsOf(b);
  const total = left.length + pairs.length;
  if (total === 0) return 0;
  let common = 0;
  for (const pair of pairs) {
    const at = left.indexOf(pair);
    if (at < 0) continue;
    left.splice(at, 1);
    common += 1;
  }
  return (2 * common) / total;
}

/** Every two letters that stand together. */
export function pairsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}
