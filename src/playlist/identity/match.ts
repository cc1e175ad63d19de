import { type Assignment, agrees, everything, type Key, type Keys, type PlaceKind } from './assignment.js';
import { Census, pick } from './census.js';
import type { Identity } from './entry.js';
import { renamedGroups } from './groups.js';
import { Judge } from './judge.js';
import { type LooseKey, looseKeys } from './loose.js';
import { matchMoved, matchRegrouped } from './named.js';
import { type LooseKeys, type Pair, Pairs } from './pairs.js';
import { Resolver } from './resolve.js';
import { type Agreed, distrust } from './trust.js';
import { discountTwins } from './twins.js';

const { weakPlace, place, core, weakId } = agrees;

/** Matches entries of which nothing changed, then those of which it was only what changes in addresses. */
export function matchAlike(assignment: Assignment): void {
  assignment.matchInStep();
  if (assignment.isDone()) return;
  const byPlace: Key = ({ place: where }) => where;
  assignment.matchAlike({ previous: byPlace, next: byPlace });
}

/** Matches what else has changed. Returns pairs at one address that are not taken for one channel. */
export function matchChanged(assignment: Assignment): Pair[] {
  if (assignment.isDone()) return [];
  const loose = readLoose(assignment);
  assignment.matchAlike(keysOf(loose));
  matchRegrouped(assignment, loose);
  matchMoved(assignment, loose);
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

function keysOf({ previous, next }: LooseKeys): Keys {
  return { previous: (_, index) => previous[index]?.key ?? null, next: (_, index) => next[index]?.key ?? null };
}

function weigh(assignment: Assignment, loose: LooseKeys): Pair[] {
  const leftover = assignment.leftover();
  const census = new Census(assignment, leftover, loose);
  const renamed = renamedGroups(assignment, leftover.previous, (was) => census.namesakeOf(was));
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
