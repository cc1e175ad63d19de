import { type Assignment, agrees, type Key, type Keys, type PlaceKind } from './assignment.js';
import { Census, pick } from './census.js';
import type { Identity } from './entry.js';
import { renamedGroups } from './groups.js';
import { Judge } from './judge.js';
import { type LooseKey, looseKeys } from './loose.js';
import { type LooseKeys, type Pair, Pairs } from './pairs.js';
import { Resolver } from './resolve.js';
import { type Agreed, distrust } from './trust.js';

const everything = 127;
const { weakPlace, place, core, name } = agrees;

/** Matches entries that agree in everything, in the order of their lists where there are several. */
export function matchAlike(assignment: Assignment): void {
  const key: Key = (identity) => `${identity.url}\n${rest(identity)}`;
  assignment.matchInOrder({ previous: key, next: key }, everything);
}

/** Matches what has changed. Returns pairs at one address that are not taken for one channel. */
export function matchChanged(assignment: Assignment): Pair[] {
  if (isDone(assignment)) return [];
  const byPlace: Key = (identity) => `${identity.place}\n${rest(identity)}`;
  assignment.matchUnique({ previous: byPlace, next: byPlace }, everything);
  const loose = readLoose(assignment);
  assignment.matchUnique(keysOf(loose, rest), everything);
  matchRegrouped(assignment, loose);
  const suspects = isDone(assignment) ? [] : weigh(assignment, loose);
  matchDoubles(assignment, loose);
  const { nextOf, previousOf } = assignment;
  return suspects.filter((pair) => nextOf[pair.previous] === -1 && previousOf[pair.next] === -1);
}

function isDone(assignment: Assignment): boolean {
  const { previous, next } = assignment.leftover();
  return previous.length === 0 || next.length === 0;
}

/** All but the address, as written. No part holds a line feed: they were read from lines. */
function rest({ title, tvgId, group }: Identity): string {
  return `${title}\n${tvgId ?? ''}\n${group}`;
}

function readLoose(assignment: Assignment): LooseKeys {
  const leftover = assignment.leftover();
  const previous = pick(assignment.previous, leftover.previous);
  const next = pick(assignment.next, leftover.next);
  const keys = looseKeys({ previous: previous.map(addressOf), next: next.map(addressOf) });
  return { previous: zip(previous, keys.previous), next: zip(next, keys.next) };
}

function addressOf({ address }: Identity) {
  return address;
}

function zip(identities: readonly Identity[], keys: readonly (LooseKey | null)[]): Map<Identity, LooseKey> {
  const zipped = new Map<Identity, LooseKey>();
  for (const [index, identity] of identities.entries()) {
    const key = keys[index];
    if (key) zipped.set(identity, key);
  }
  return zipped;
}

function keysOf(loose: LooseKeys, more: (identity: Identity) => string): Keys {
  const key = (keys: ReadonlyMap<Identity, LooseKey>) => (identity: Identity) => {
    const found = keys.get(identity);
    return found === undefined ? null : `${found.key}\n${more(identity)}`;
  };
  return { previous: key(loose.previous), next: key(loose.next) };
}

/** Address, name and id agree, and nothing else that is left has the name: no other pair of theirs could be better. */
function matchRegrouped(assignment: Assignment, loose: LooseKeys): void {
  const leftover = assignment.leftover();
  const once = {
    previous: namedOnce(pick(assignment.previous, leftover.previous)),
    next: namedOnce(pick(assignment.next, leftover.next)),
  };
  const isSafe = (was: Identity) => once.previous.has(was.name) && once.next.has(was.name);
  const known = (identity: Identity) => `${identity.name}\n${identity.tvgId ?? ''}`;
  const evidence = weakPlace | place | core | name;
  const byPlace: Key = (identity) => `${identity.place}\n${known(identity)}`;
  assignment.matchUnique({ previous: byPlace, next: byPlace }, evidence, isSafe);
  assignment.matchUnique(keysOf(loose, known), evidence, isSafe);
}

function namedOnce(identities: readonly Identity[]): Set<string> {
  const once = new Set<string>();
  const seen = new Set<string>(['']);
  for (const { name: found } of identities) {
    if (seen.has(found)) once.delete(found);
    else once.add(found);
    seen.add(found);
  }
  return once;
}

function weigh(assignment: Assignment, loose: LooseKeys): Pair[] {
  const leftover = assignment.leftover();
  const census = new Census(assignment, leftover, loose);
  const renamed = renamedGroups(assignment, leftover.previous, census);
  const gathered = new Pairs(assignment, leftover, { census, loose, renamed });
  gathered.gather();
  distrust(gathered.pairs, countAgreed(assignment, loose));
  const judge = new Judge(gathered.pairs, pick(assignment.previous, leftover.previous), census);
  new Resolver(gathered.pairs, gathered.crowds).run((pair) => {
    if (judge.isSame(pair)) assignment.match(pair.previous, pair.next, pair.evidence);
  });
  return gathered.pairs.filter(({ evidence }) => (evidence & place) !== 0);
}

function countAgreed({ previous, next, previousOf }: Assignment, loose: LooseKeys): Agreed {
  const agreed: Record<PlaceKind | 'id', number> = { host: 0, 'other-host': 0, loose: 0, learnt: 0, id: 0 };
  for (const [to, from] of previousOf.entries()) {
    const was = previous[from];
    const is = next[to];
    if (was === undefined || is === undefined) continue;
    agreed.id += Number(was.tvgId !== null && was.tvgId === is.tvgId);
    agreed[was.url === is.url ? 'host' : placeKind(was, is, loose)] += 1;
  }
  return agreed;
}

/** How the addresses of two entries that were matched by them are the same. */
function placeKind(was: Identity, is: Identity, loose: LooseKeys): PlaceKind {
  if (was.place === is.place) return was.address.host === is.address.host ? 'host' : 'other-host';
  return loose.previous.get(was)?.isLearnt === true ? 'learnt' : 'loose';
}

/** Entries that are alike in all but what changes in addresses stand for one another. */
function matchDoubles(assignment: Assignment, loose: LooseKeys): void {
  const leftover = assignment.leftover();
  const keyOf = (keys: ReadonlyMap<Identity, LooseKey>) => (identity: Identity) => {
    const found = keys.get(identity);
    const where = found === undefined || found.isLearnt ? identity.place : found.key;
    return `${where}\n${identity.name}\n${identity.tvgId ?? ''}\n${identity.group}`;
  };
  const previous = onOneHost(pick(assignment.previous, leftover.previous), keyOf(loose.previous));
  const next = onOneHost(pick(assignment.next, leftover.next), keyOf(loose.next));
  assignment.matchInOrder({ previous, next }, everything);
}

/** Doubles on several hosts are not alike. */
function onOneHost(identities: readonly Identity[], key: (identity: Identity) => string): Key {
  const hosts = new Map<string, string | null>();
  for (const identity of identities) {
    const { host } = identity.address;
    const known = hosts.get(key(identity));
    hosts.set(key(identity), known === undefined || known === host ? host : null);
  }
  return (identity) => (hosts.get(key(identity)) == null ? null : key(identity));
}
