import { type Assignment, agrees, type Key, type Keys, type PlaceKind, uniques } from './assignment.js';
import { Census, pick } from './census.js';
import type { Identity } from './entry.js';
import { renamedGroups } from './groups.js';
import { Judge } from './judge.js';
import { type LooseKey, looseKeys } from './loose.js';
import { type LooseKeys, type Pair, Pairs } from './pairs.js';
import { Resolver } from './resolve.js';
import { type Agreed, distrust } from './trust.js';
import { discountTwins } from './twins.js';

const everything = 127;
const { weakPlace, place, core, name, weakId, group } = agrees;

/** Matches entries of which nothing changed, then those of which it was only what changes in addresses. */
export function matchAlike(assignment: Assignment): void {
  assignment.matchInStep((was, is) => was.url === is.url, everything | agrees.whole);
  if (assignment.isDone()) return;
  const byUrl: Key = ({ url }) => url;
  assignment.matchAlike({ previous: byUrl, next: byUrl }, everything | agrees.whole, true);
  if (assignment.isDone()) return;
  const onHost = (was: Identity, is: Identity) => was.address.host === is.address.host && was.place === is.place;
  assignment.matchInStep(onHost, everything);
  const byPlace: Key = ({ place: where }) => where;
  assignment.matchAlike({ previous: byPlace, next: byPlace }, everything, false);
}

/** Matches what else has changed. Returns pairs at one address that are not taken for one channel. */
export function matchChanged(assignment: Assignment): Pair[] {
  if (assignment.isDone()) return [];
  const loose = readLoose(assignment);
  const byLoose = keysOf(loose, () => '');
  assignment.matchAlike(byLoose, everything, false);
  matchNamed(assignment, loose);
  const suspects = assignment.isDone() ? [] : weigh(assignment, loose);
  matchDoubles(assignment, loose);
  const { nextOf, previousOf } = assignment;
  return suspects.filter((pair) => nextOf[pair.previous] === -1 && previousOf[pair.next] === -1);
}

function readLoose(assignment: Assignment): LooseKeys {
  const leftover = assignment.leftover();
  const read = (side: 'previous' | 'next') => pick(assignment[side], leftover[side]).map(({ address }) => address);
  const keys = looseKeys({ previous: read('previous'), next: read('next') });
  const spread = (side: 'previous' | 'next') => {
    const all = new Array<LooseKey | null>(assignment[side].length).fill(null);
    for (const [at, index] of leftover[side].entries()) all[index] = keys[side][at] ?? null;
    return all;
  };
  return { previous: spread('previous'), next: spread('next') };
}

function keysOf({ previous, next }: LooseKeys, more: (identity: Identity) => string): Keys {
  const key = (keys: readonly (LooseKey | null)[]) => (identity: Identity, index: number) => {
    const found = keys[index]?.key;
    return found === undefined ? null : found + more(identity);
  };
  return { previous: key(previous), next: key(next) };
}

/**
 * Matches entries whose name nothing else that is left has, nor their address another name: whose address stayed while the
 * group changed, or whose address is a new one. No other pair of theirs could be better.
 */
function matchNamed(assignment: Assignment, loose: LooseKeys): void {
  const leftover = assignment.leftover();
  const after = namedOnce(assignment.next, leftover.next);
  const isFresh = leftover.next.length * 2 < assignment.next.length ? () => false : newlyAddressed(assignment, loose);
  for (const [named, from] of namedOnce(assignment.previous, leftover.previous)) {
    const to = after.get(named) ?? -1;
    const was = assignment.previous[from];
    const is = assignment.next[to];
    if (was === undefined || is === undefined || was.tvgId !== is.tvgId) continue;
    const key = loose.previous[from];
    const isKept = was.place === is.place || (key?.isLearnt === false && key.key === loose.next[to]?.key);
    const grouped = was.group === is.group ? core | name | group : core | name;
    if (isKept) assignment.match(from, to, grouped | place | weakPlace);
    else if (was.group === is.group && isFresh(from, to)) assignment.match(from, to, grouped);
  }
}

/** The only entry of each name; -1 where there are several. */
function namedOnce(side: readonly Identity[], indexes: readonly number[]): Map<string, number> {
  const once = uniques(side, indexes, ({ name: found }) => found);
  once.delete('');
  return once;
}

/** Tells whether neither address of a pair is in the other list, and nothing at all has the name besides. */
function newlyAddressed({ previous, next }: Assignment, loose: LooseKeys): (from: number, to: number) => boolean {
  const before = new Set(previous.map(({ place: where }) => where));
  const after = new Set(next.map(({ place: where }) => where));
  const looseBefore = new Set(loose.previous.map((key) => key?.key));
  const looseAfter = new Set(loose.next.map((key) => key?.key));
  const names = { previous: namedOnce(previous, [...previous.keys()]), next: namedOnce(next, [...next.keys()]) };
  return (from, to) => {
    const was = previous[from];
    const is = next[to];
    const keys = [loose.previous[from]?.key, loose.next[to]?.key];
    return (
      was !== undefined &&
      is !== undefined &&
      !(after.has(was.place) || before.has(is.place)) &&
      !(keys[0] !== undefined && looseAfter.has(keys[0])) &&
      !(keys[1] !== undefined && looseBefore.has(keys[1])) &&
      names.previous.get(was.name) === from &&
      names.next.get(is.name) === to
    );
  };
}

function weigh(assignment: Assignment, loose: LooseKeys): Pair[] {
  const leftover = assignment.leftover();
  const census = new Census(assignment, leftover, loose);
  const renamed = renamedGroups(assignment, leftover.previous, census);
  const gathered = new Pairs(assignment, leftover, { census, loose, renamed });
  gathered.gather();
  const trusted = distrust(gathered.pairs, countAgreed(assignment, loose));
  const pairs = gathered.pairs.filter(({ evidence }) => (evidence & (weakPlace | core | weakId)) !== 0);
  discountTwins(pairs, census);
  const judge = new Judge(pairs, pick(assignment.previous, leftover.previous), { census, trusted });
  new Resolver(pairs, gathered.crowds).run((pair) => {
    if (judge.isSame(pair)) assignment.match(pair.previous, pair.next, pair.evidence);
  });
  return pairs.filter(({ evidence }) => (evidence & place) !== 0);
}

function countAgreed({ previous, next, previousOf, evidence }: Assignment, loose: LooseKeys): Agreed {
  const agreed: Record<PlaceKind | 'id', number> = { host: 0, 'other-host': 0, loose: 0, learnt: 0, id: 0 };
  for (const [to, from] of previousOf.entries()) {
    const was = previous[from];
    const is = next[to];
    if (was === undefined || is === undefined) continue;
    agreed.id += Number(was.tvgId !== null && was.tvgId === is.tvgId);
    if (((evidence[to] ?? 0) & weakPlace) === 0) continue;
    const isSame = was.url === is.url || (was.place === is.place && was.address.host === is.address.host);
    agreed[isSame ? 'host' : otherPlaceKind(was, is, loose.previous[from])] += 1;
  }
  return agreed;
}

function otherPlaceKind(was: Identity, is: Identity, key: LooseKey | null | undefined): PlaceKind {
  if (was.place === is.place) return 'other-host';
  return key?.isLearnt === true ? 'learnt' : 'loose';
}

/** Entries that are alike in all but what changes in addresses stand for one another. */
function matchDoubles(assignment: Assignment, loose: LooseKeys): void {
  const leftover = assignment.leftover();
  const keyOf = (keys: readonly (LooseKey | null)[]) => (identity: Identity, index: number) => {
    const found = keys[index] ?? null;
    const where = found === null || found.isLearnt ? identity.place : found.key;
    return `${where}\n${identity.name}\n${identity.tvgId ?? ''}\n${identity.group}`;
  };
  const previous = onOneHost(assignment.previous, leftover.previous, keyOf(loose.previous));
  const next = onOneHost(assignment.next, leftover.next, keyOf(loose.next));
  assignment.matchInOrder({ previous, next }, everything);
}

/** Doubles on several hosts are not alike. */
function onOneHost(
  side: readonly Identity[],
  indexes: readonly number[],
  key: (of: Identity, at: number) => string,
): Key {
  const hosts = new Map<string, string | null>();
  for (const index of indexes) {
    const identity = side[index];
    if (identity === undefined) continue;
    const { host } = identity.address;
    const value = key(identity, index);
    const known = hosts.get(value);
    hosts.set(value, known === undefined || known === host ? host : null);
  }
  return (identity, index) => {
    const value = key(identity, index);
    return typeof hosts.get(value) === 'string' ? value : null;
  };
}
