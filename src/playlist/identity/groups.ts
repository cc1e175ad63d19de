import type { Assignment } from './assignment.js';
import { type Census, pick } from './census.js';
import type { Identity } from './entry.js';

/** Fewer entries that went the same way may have done so by chance. */
const enough = 3;

/**
 * Finds groups that were renamed: more than half of the entries of one are known to be in the same other one now. Known are
 * those that are matched, and those whose name only one entry of each list has.
 */
export function renamedGroups(assignment: Assignment, open: readonly number[], census: Census): Map<string, string> {
  const wanted = new Set(pick(assignment.previous, open).map(({ group }) => group));
  const sizes = new Map<string, number>();
  for (const { group, missing } of assignment.previous) {
    if (!missing) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  }
  const renamed = new Map<string, string>();
  for (const [group, found] of vote(assignment, wanted, census)) {
    for (const [other, count] of found) {
      if (count >= enough && count * 2 > (sizes.get(group) ?? 0)) renamed.set(group, other);
    }
  }
  return renamed;
}

/** By group: how many of its entries are in which group now. */
function vote({ previous, next, nextOf }: Assignment, wanted: ReadonlySet<string>, census: Census) {
  const votes = new Map<string, Map<string, number>>();
  for (const [index, was] of previous.entries()) {
    if (was.missing || !wanted.has(was.group)) continue;
    const is = next[nextOf[index] ?? -1] ?? namesake(was, census);
    if (is === undefined) continue;
    const found = votes.get(was.group) ?? new Map<string, number>();
    votes.set(was.group, found.set(is.group, (found.get(is.group) ?? 0) + 1));
  }
  return votes;
}

/** The only entry of the next list with a name that only one of the previous list has. */
function namesake({ name }: Identity, { names }: Census): Identity | undefined {
  if (name === '' || names.previous.get(name)?.length !== 1) return undefined;
  const found = names.next.get(name) ?? [];
  return found.length === 1 ? found[0] : undefined;
}
