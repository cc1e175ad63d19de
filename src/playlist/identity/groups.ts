import type { Assignment } from './assignment.js';
import { pick } from './census.js';
import type { Identity } from './entry.js';

/** Fewer entries that went the same way may have done so by chance. */
const enough = 3;

/** How many entries of a group are in another one now. */
type Votes = { sure: number; likely: number };

/**
 * Finds groups that were renamed: most of the entries of one that are matched already are in the same other one now; or more
 * than half of all its entries are, where those count too that have a namesake, the only one of its name in either list.
 */
export function renamedGroups(
  assignment: Assignment,
  open: readonly number[],
  namesakeOf: (was: Identity) => Identity | undefined,
): Map<string, string> {
  const wanted = new Set(pick(assignment.previous, open).map(({ group }) => group));
  const sizes = new Map<string, number>();
  for (const { group, missing } of assignment.previous) {
    if (!missing) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  }
  const renamed = new Map<string, string>();
  for (const [group, found] of vote(assignment, wanted, namesakeOf)) {
    const sure = [...found.values()].reduce((sum, votes) => sum + votes.sure, 0);
    for (const [other, votes] of found) {
      if (isMost(votes, sure, sizes.get(group) ?? 0)) renamed.set(group, other);
    }
  }
  return renamed;
}

function isMost({ sure, likely }: Votes, allSure: number, size: number): boolean {
  const isMostOfSure = sure >= enough && sure * 2 > allSure && sure * 4 >= size;
  // Where few are sure, what they say must not be outvoted.
  return isMostOfSure || (sure + likely >= enough && (sure + likely) * 2 > size && sure * 2 >= allSure);
}

function vote(
  { previous, next, nextOf }: Assignment,
  wanted: ReadonlySet<string>,
  namesakeOf: (was: Identity) => Identity | undefined,
) {
  const votes = new Map<string, Map<string, Votes>>();
  for (const [index, was] of previous.entries()) {
    if (was.missing || !wanted.has(was.group)) continue;
    const matched = next[nextOf[index] ?? -1];
    const is = matched ?? namesakeOf(was);
    if (is === undefined) continue;
    const found = votes.get(was.group) ?? new Map<string, Votes>();
    const { sure, likely } = found.get(is.group) ?? { sure: 0, likely: 0 };
    const isSure = matched !== undefined;
    votes.set(was.group, found.set(is.group, { sure: sure + Number(isSure), likely: likely + Number(!isSure) }));
  }
  return votes;
}
