import { type Assignment, agrees, type Leftover, type PlaceKind } from './assignment.js';
import type { Census } from './census.js';
import type { Identity } from './entry.js';
import type { LooseKey } from './loose.js';
import { haveOneCore } from './name.js';

/** Two entries that share an address, a name or a guide id. */
export type Pair = {
  /** Indexes. */
  readonly previous: number;
  readonly next: number;
  readonly was: Identity;
  readonly is: Identity;
  /** How their addresses are the same, or null. */
  readonly place: PlaceKind | null;
  /** In what they agree: bits of `agrees`. */
  evidence: number;
};

/** By index: as what evidence an entry has against each of its pairs, because too many have the same key to pair them all. */
export type Crowds = { readonly previous: Map<number, number[]>; readonly next: Map<number, number[]> };

/** By index, of entries that were left when addresses were read loosely. */
export type LooseKeys = {
  readonly previous: readonly (LooseKey | null)[];
  readonly next: readonly (LooseKey | null)[];
};
type Side = 'previous' | 'next';
type Read = (identity: Identity, side: Side, index: number) => string | null;

/** More pairs of one key are not made. */
const crowd = 100;

export class Pairs {
  readonly pairs: Pair[] = [];
  readonly crowds: Crowds = { previous: new Map(), next: new Map() };
  private readonly assignment: Assignment;
  private readonly leftover: Leftover;
  private readonly census: Census;
  private readonly loose: LooseKeys;
  private readonly renamed: ReadonlyMap<string, string>;
  private readonly seen = new Set<number>();

  constructor(
    assignment: Assignment,
    leftover: Leftover,
    known: { readonly census: Census; readonly loose: LooseKeys; readonly renamed: ReadonlyMap<string, string> },
  ) {
    this.assignment = assignment;
    this.leftover = leftover;
    this.census = known.census;
    this.loose = known.loose;
    this.renamed = known.renamed;
  }

  gather(): void {
    const { weakPlace, name, core, weakId } = agrees;
    this.gatherBy(({ name: found }) => (found === '' ? null : found), name | core);
    this.gatherBy(({ tvgId }) => tvgId, weakId);
    this.gatherBy(({ place }) => place, weakPlace);
    this.gatherBy((_, side, index) => this.loose[side][index]?.key ?? null, weakPlace);
  }

  private gatherBy(read: Read, evidence: number): void {
    const before = this.bucket('previous', read);
    const after = this.bucket('next', read);
    for (const [key, previous] of before) {
      const next = after.get(key) ?? [];
      if (previous.length * next.length <= crowd) this.pairAll(previous, next);
      else {
        const most = evidence | agrees.group | agrees.noOtherId | agrees.present;
        note(this.crowds.previous, previous, most);
        note(this.crowds.next, next, most);
      }
    }
  }

  private bucket(side: Side, read: Read): Map<string, number[]> {
    const buckets = new Map<string, number[]>();
    for (const index of this.leftover[side]) {
      const identity = this.assignment[side][index];
      const key = identity === undefined ? null : read(identity, side, index);
      if (key === null) continue;
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, [index]);
      else bucket.push(index);
    }
    return buckets;
  }

  private pairAll(previous: readonly number[], next: readonly number[]): void {
    for (const from of previous) {
      for (const to of next) {
        const key = from * this.assignment.next.length + to;
        const was = this.assignment.previous[from];
        const is = this.assignment.next[to];
        if (this.seen.has(key) || was === undefined || is === undefined) continue;
        this.seen.add(key);
        this.pairs.push(this.compare({ previous: from, next: to, was, is }));
      }
    }
  }

  private compare(two: Omit<Pair, 'place' | 'evidence'>): Pair {
    const { was, is } = two;
    const place = this.placeKind(two);
    let evidence = place === null ? 0 : this.placeEvidence(two, place);
    if (was.name !== '' && was.name === is.name) evidence |= agrees.name | agrees.core;
    else if (was.name !== '' && is.name !== '' && haveOneCore(was.title, is.title)) evidence |= agrees.core;
    if (was.tvgId !== null && was.tvgId === is.tvgId) {
      evidence |= this.census.tellsById(was) ? agrees.id | agrees.weakId : agrees.weakId;
    }
    if ((this.renamed.get(was.group) ?? was.group) === is.group) evidence |= agrees.group;
    if (was.tvgId === null || is.tvgId === null || was.tvgId === is.tvgId) evidence |= agrees.noOtherId;
    if (!was.missing) evidence |= agrees.present;
    return { ...two, place, evidence };
  }

  private placeKind({ previous, next, was, is }: Omit<Pair, 'place' | 'evidence'>): PlaceKind | null {
    if (was.place === is.place) return was.address.host === is.address.host ? 'host' : 'other-host';
    const key = this.loose.previous[previous] ?? null;
    if (key === null || key.key !== this.loose.next[next]?.key) return null;
    return key.isLearnt ? 'learnt' : 'loose';
  }

  private placeEvidence({ previous, was }: Omit<Pair, 'place' | 'evidence'>, kind: PlaceKind): number {
    const key = this.loose.previous[previous]?.key ?? '';
    const isLoose = kind === 'loose' || kind === 'learnt';
    const tells = isLoose ? this.census.tellsByLoosePlace(was, key) : this.census.tellsByPlace(was);
    return tells ? agrees.place | agrees.weakPlace : agrees.weakPlace;
  }
}

function note(crowds: Map<number, number[]>, indexes: readonly number[], evidence: number): void {
  for (const index of indexes) crowds.set(index, [...(crowds.get(index) ?? []), evidence]);
}
