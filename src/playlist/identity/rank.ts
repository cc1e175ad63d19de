import { agrees } from './assignment.js';
import type { Pair } from './pairs.js';

/**
 * What each kind of agreement weighs. A name or an id outweighs an address with its group, so that channels that swap their
 * addresses keep their names; an address with one of them outweighs the other one elsewhere.
 */
const weights: readonly (readonly [bit: number, weight: number])[] = [
  [agrees.weakPlace, 1],
  [agrees.place, 2],
  [agrees.core, 1],
  [agrees.name, 5],
  [agrees.weakId, 1],
  [agrees.id, 4],
  [agrees.group, 2],
  [agrees.noOtherId, 2],
  [agrees.present, 2],
];
const sums = Uint8Array.from({ length: 512 }, (_, evidence) =>
  weights.reduce((sum, [bit, weight]) => sum + ((evidence & bit) === 0 ? 0 : weight), 0),
);

/** Whether evidence is better beyond doubt: it holds the other, or weighs clearly more. */
export function outranks(evidence: number, other: number): boolean {
  if (evidence === other) return false;
  return (evidence & other) === other || (sums[evidence] ?? 0) - (sums[other] ?? 0) >= 2;
}

/** Whether a pair is better beyond doubt than another one of the same entry. */
export function isBetter(pair: Pair, other: Pair): boolean {
  return pair.evidence === other.evidence ? detail(pair) > detail(other) : outranks(pair.evidence, other.evidence);
}

/** Decides between pairs that agree in the same. */
function detail({ was, is, place }: Pair): number {
  return (place === 'host' ? 2 : 0) + (was.url === is.url ? 1 : 0);
}
