import { Assignment } from './identity/assignment.js';
import { type Identity, Recognised, type Said } from './identity/entry.js';
import { matchAlike, matchChanged } from './identity/match.js';
import { type Addressed, addressedOf, doubtOf, reasonOf } from './identity/reason.js';

export type { Identity } from './identity/entry.js';
export type { Addressed } from './identity/reason.js';

export type Matching = {
  /** By index of the next entries: the index of the previous one that it continues, or null for a new one. */
  readonly continues: readonly (number | null)[];
  /** By index of the next entries: by what it was recognised, such as `address and name`; null for a new one. */
  readonly reasons: readonly (string | null)[];
  /** By index of the next entries: what became of the address; null for a new one. */
  readonly addressed: readonly (Addressed | null)[];
  /** Pairs that share an address and too little else: most likely an address given to another channel. */
  readonly suspects: readonly (readonly [previous: number, next: number])[];
  /** By index of the suspects: why they are not taken for one channel, a sentence. */
  readonly doubts: readonly string[];
};

/** What an entry is recognised by; the first of its addresses counts. */
export function identityOf(said: Said): Identity {
  return new Recognised(said);
}

/**
 * Finds the previous entry that each next one continues. Entries that agree in everything, or in everything but the parts of
 * addresses that change from day to day, are matched first. Then every two that are left and share an address, a name or a
 * guide id are weighed: a pair counts where it is better beyond doubt than any other pair of either entry, and a key tells:
 * address with name, id or group; id and name; name and group. What stays undecided is new, or gone: edits on a wrong channel
 * are worse than lost ones. The order of the lists plays no part but among entries that are alike in everything.
 */
export function matchEntries(previous: readonly Identity[], next: readonly Identity[]): Matching {
  const assignment = new Assignment(previous, next);
  matchAlike(assignment);
  const suspects = matchChanged(assignment);
  return {
    continues: Array.from(assignment.previousOf, (index) => (index < 0 ? null : index)),
    reasons: next.map((_, index) => reasonOf(assignment, index)),
    addressed: next.map((_, index) => addressedOf(assignment, index)),
    suspects: suspects.map((pair) => [pair.previous, pair.next]),
    doubts: suspects.map(doubtOf),
  };
}
