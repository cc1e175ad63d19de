import { type Assignment, agrees, uniques } from './assignment.js';
import type { Identity } from './entry.js';
import { renamedGroups } from './groups.js';
import type { LooseKey } from './loose.js';
import type { LooseKeys } from './pairs.js';

const { weakPlace, place, core, name, group } = agrees;

/**
 * Matches entries whose address and id stayed, and whose name nothing else that is left has: whatever their groups are, no
 * other pair of theirs could be better.
 */
export function matchRegrouped(assignment: Assignment, loose: LooseKeys): void {
  const leftover = assignment.leftover();
  const after = namedOnce(assignment.next, leftover.next);
  for (const [named, from] of namedOnce(assignment.previous, leftover.previous)) {
    const to = after.get(named) ?? -1;
    const was = assignment.previous[from];
    const is = assignment.next[to];
    if (was === undefined || is === undefined || was.tvgId !== is.tvgId) continue;
    const key = loose.previous[from];
    const isKept = was.place === is.place || (key?.isLearnt === false && key.key === loose.next[to]?.key);
    if (isKept) assignment.match(from, to, core | name | place | weakPlace | (was.group === is.group ? group : 0));
  }
}

/**
 * Matches entries of one id and group, or renamed group, whose addresses are new and whose name nothing at all has besides: no
 * other pair of theirs could be better. It is worth the while where much of a list is left.
 */
export function matchMoved(assignment: Assignment, loose: LooseKeys): void {
  const leftover = assignment.leftover();
  const { previous, next } = assignment;
  if (leftover.next.length * 2 < next.length) return;
  const before = namedOnce(previous, [...previous.keys()]);
  const after = namedOnce(next, [...next.keys()]);
  const namesake = ({ name: named }: Identity) => ((before.get(named) ?? -1) < 0 ? -1 : (after.get(named) ?? -1));
  const renamed = renamedGroups(assignment, leftover.previous, (was) => next[namesake(was)]);
  const places = { previous: placesOf(previous, loose.previous), next: placesOf(next, loose.next) };
  const isNew = (index: number, side: 'previous' | 'next', other: ReadonlySet<string>) =>
    !(other.has(assignment[side][index]?.place ?? '') || other.has(keyOf(loose[side][index])));
  for (const from of leftover.previous) {
    const was = previous[from];
    const to = was === undefined ? -1 : namesake(was);
    const is = next[to];
    if (was === undefined || is === undefined || assignment.previousOf[to] !== -1 || was.tvgId !== is.tvgId) continue;
    const isGrouped = (renamed.get(was.group) ?? was.group) === is.group;
    if (!isGrouped || !isNew(from, 'previous', places.next) || !isNew(to, 'next', places.previous)) continue;
    assignment.match(from, to, core | name | group);
  }
}

/** The only entry of each name; -1 where there are several. */
function namedOnce(side: readonly Identity[], indexes: readonly number[]): Map<string, number> {
  const once = uniques(side, indexes, ({ name: found }) => found);
  once.delete('');
  return once;
}

function placesOf(side: readonly Identity[], loose: readonly (LooseKey | null)[]): Set<string> {
  const places = new Set(side.map(({ place: where }) => where));
  for (const key of loose) if (key !== null) places.add(keyOf(key));
  return places;
}

/** Told from an address by its beginning. */
function keyOf(key: LooseKey | null | undefined): string {
  return key == null ? '\n' : `\n${key.key}`;
}
