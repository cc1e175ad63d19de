import { pairsOf } from './name.js';
import type { Pair } from './pairs.js';

/** A part of a name that more names share leads to none of them. */
const tooMany = 200;

/**
 * Finds pairs at one address where the old name lives on in that of another such pair, and the new name in the old one of yet
 * another: channels that traded their addresses and were renamed at once, such as "A" and "B" that became "B HD" and "A HD".
 */
export function findTraded(renames: readonly Pair[]): Set<Pair> {
  const open = renames.filter(({ was, is }) => !areNested(was.name, is.name));
  const goesOn = livingOn(
    open,
    ({ was }) => was.name,
    ({ is }) => is.name,
  );
  const cameFrom = livingOn(
    open,
    ({ is }) => is.name,
    ({ was }) => was.name,
  );
  return new Set(open.filter((pair) => goesOn.has(pair) && cameFrom.has(pair)));
}

type Read = (pair: Pair) => string;

/** Pairs whose one name is nested with the other name of another pair. */
function livingOn(pairs: readonly Pair[], one: Read, other: Read): Set<Pair> {
  const found = new Set<Pair>();
  link(pairs, one, other, (inner) => found.add(inner));
  link(pairs, other, one, (_, outer) => found.add(outer));
  return found;
}

/** Tells of every pair whose `part` stands within the `whole` of another one. */
function link(pairs: readonly Pair[], part: Read, whole: Read, tell: (part: Pair, whole: Pair) => void): void {
  const holders = byLetters(pairs, whole);
  for (const pair of pairs) {
    const candidates = pairsOf(part(pair)).map((letters) => holders.get(letters) ?? []);
    const [first, ...others] = candidates;
    if (first === undefined) continue;
    const fewest = others.reduce((least, found) => (found.length < least.length ? found : least), first);
    if (fewest.length > tooMany) continue;
    for (const candidate of fewest) {
      if (candidate !== pair && areNested(part(pair), whole(candidate))) tell(pair, candidate);
    }
  }
}

/** Pairs by every two letters that stand together in a name. */
function byLetters(pairs: readonly Pair[], read: Read): Map<string, Pair[]> {
  const holders = new Map<string, Pair[]>();
  for (const pair of pairs) {
    for (const letters of new Set(pairsOf(read(pair)))) {
      const found = holders.get(letters);
      if (found === undefined) holders.set(letters, [pair]);
      else found.push(pair);
    }
  }
  return holders;
}

/** Whether one name holds the other, with the same numbers. */
function areNested(one: string, other: string): boolean {
  const numbers = (name: string) => (name.match(/\p{N}+/gu) ?? []).join(' ');
  return one !== '' && other !== '' && (one.includes(other) || other.includes(one)) && numbers(one) === numbers(other);
}
