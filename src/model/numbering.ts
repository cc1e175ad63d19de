import { highestNumber } from './rule-problem.js';
import type { Numbering } from './rules.js';

export type Wanting = {
  readonly channel: number;
  readonly numbering: Numbering;
  readonly providerNumber: string | null;
};

export type Allocation = {
  /** By channel: the number that it is given, to be kept. */
  readonly given: ReadonlyMap<number, string>;
  /** By rule: how many channels its range had no number left for. */
  readonly without: ReadonlyMap<number, number>;
};

/** Whether a channel without a number of its own is to be given one of a range. */
export function wantsNumber(numbering: Numbering | null, providerNumber: string | null): numbering is Numbering {
  return numbering !== null && !(numbering.keepProvider && providerNumber !== null);
}

/**
 * Whether the rules would still give a channel the number that it was given. To be asked when the user changed the rules,
 * never at a refresh: a provider that moves a channel to another group does not take its number.
 */
export function keepsNumber(given: string, numbering: Numbering | null, providerNumber: string | null): boolean {
  if (!wantsNumber(numbering, providerNumber)) return false;
  const number = wholeNumber(given);
  return number !== null && number >= numbering.from && number <= lastOf(numbering);
}

/**
 * Gives each channel that wants one the next free number of its range, in the order given; a channel that comes again, as
 * one of several entries does, is given one. `taken` holds the numbers in use, the user's and the providers' among them:
 * `07` and `7.0` are 7 to players, 7.1 is not.
 */
export function allocateNumbers(taken: ReadonlySet<string>, wanting: readonly Wanting[]): Allocation {
  const asking = wanting.filter(({ numbering, providerNumber }) => wantsNumber(numbering, providerNumber));
  const kept = wanting.flatMap(({ providerNumber, numbering }) =>
    numbering.keepProvider && providerNumber !== null ? [providerNumber] : [],
  );
  const used = new Set([...taken, ...kept].map(wholeNumber));
  /** By rule: where the search for a free one goes on. */
  const nexts = new Map<number, number>();
  const given = new Map<number, string>();
  const without = new Map<number, number>();
  const done = new Set<number>();
  for (const { channel, numbering } of asking) {
    if (done.has(channel)) continue;
    done.add(channel);
    let number = nexts.get(numbering.rule) ?? numbering.from;
    while (used.has(number)) number += 1;
    nexts.set(numbering.rule, number);
    if (number > lastOf(numbering)) {
      without.set(numbering.rule, (without.get(numbering.rule) ?? 0) + 1);
      continue;
    }
    used.add(number);
    given.set(channel, String(number));
  }
  return { given, without };
}

function lastOf({ to }: Numbering): number {
  return to ?? highestNumber;
}

function wholeNumber(text: string): number | null {
  return /^\d+(?:\.0+)?$/.test(text) ? Math.floor(Number(text)) : null;
}

const collator = new Intl.Collator('und', { numeric: true });

/**
 * Orders channel numbers as people count, for `sort`: 7, 7.1, 7.2, 7.10, 10 (also 7-1), then those that are no numbers,
 * such as `A1`. It is 0 for equal texts only.
 */
export function compareNumbers(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  if (left === null || right === null) return Number(left === null) - Number(right === null) || compareTexts(a, b);
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (part !== other) return part < other ? -1 : 1;
  }
  return left.length - right.length || compareTexts(a, b);
}

function partsOf(number: string): bigint[] | null {
  return /^\d+(?:[.-]\d+)*$/.test(number) ? number.split(/[.-]/).map(BigInt) : null;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return collator.compare(a, b) || (a < b ? -1 : 1);
}
