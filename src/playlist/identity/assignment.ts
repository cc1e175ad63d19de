import type { Identity } from './entry.js';

/** In what two entries agree; a stronger kind of agreement has the bit of the weaker one too. */
export const agrees = {
  /** The same address, which others with other names have as well. */
  weakPlace: 1,
  place: 2,
  /** Names that differ in quality or country at most. */
  core: 4,
  name: 8,
  /** The same guide id, which others with other names have as well. */
  weakId: 16,
  id: 32,
  group: 64,
  /** Not two different guide ids. */
  noOtherId: 128,
  /** The previous entry was in the list until now. */
  present: 256,
  /** Nothing changed at all. */
  whole: 512,
} as const;

/** All but that not even volatile parts of the address changed. */
export const everything = agrees.whole - 1;

/** How two addresses are the same. */
export type PlaceKind = 'host' | 'other-host' | 'loose' | 'learnt';

/** What is looked for in the other list, or null. */
export type Key = (identity: Identity, index: number) => string | null;
export type Keys = { readonly previous: Key; readonly next: Key };
export type Leftover = { readonly previous: readonly number[]; readonly next: readonly number[] };

/** How many entries are stepped over while two lists are compared in their order. */
const stride = 8;

/** Who continues whom, while it is being found out. */
export class Assignment {
  readonly previous: readonly Identity[];
  readonly next: readonly Identity[];
  /** By index of a previous entry: the next one, or -1. */
  readonly nextOf: Int32Array;
  /** By index of a next entry: the previous one, or -1. */
  readonly previousOf: Int32Array;
  /** By index of a next entry: in what the pair agrees. */
  readonly evidence: Uint16Array;

  constructor(previous: readonly Identity[], next: readonly Identity[]) {
    this.previous = previous;
    this.next = next;
    this.nextOf = new Int32Array(previous.length).fill(-1);
    this.previousOf = new Int32Array(next.length).fill(-1);
    this.evidence = new Uint16Array(next.length);
  }

  match(previous: number, next: number, evidence: number): void {
    this.nextOf[previous] = next;
    this.previousOf[next] = previous;
    this.evidence[next] = evidence;
  }

  isDone(): boolean {
    return !(this.nextOf.includes(-1) && this.previousOf.includes(-1));
  }

  leftover(): Leftover {
    return { previous: openOf(this.nextOf), next: openOf(this.previousOf) };
  }

  /**
   * Matches entries of which nothing changed and that come one after another in both lists, as most do. Those that are missing
   * are left out. Entries that are new or gone between them are stepped over, a few at a time.
   */
  matchInStep(): void {
    let at = 0;
    for (const [to, is] of this.next.entries()) {
      for (let from = at; from < Math.min(at + stride, this.previous.length); from += 1) {
        const was = this.previous[from];
        if (was === undefined || was.missing || was.url !== is.url || !isRestAlike(was, is)) continue;
        this.match(from, to, everything | agrees.whole);
        at = from + 1;
        break;
      }
    }
  }

  /**
   * Matches entries of one key that are alike in the rest as well. Where several are, those of one address as written stand for
   * one another in the order of their lists, and others are left.
   */
  matchAlike(keys: Keys): void {
    const { previous, next } = this.leftover();
    const before = uniques(this.previous, previous, keys.previous);
    const shared = next.filter((index) => before.has(keyAt(this.next, index, keys.next) ?? ''));
    const contested = new Set<string>();
    for (const [key, to] of uniques(this.next, shared, keys.next)) {
      const from = before.get(key) ?? -1;
      const was = this.previous[from];
      const is = this.next[to];
      if (was === undefined || is === undefined) contested.add(key);
      else if (isRestAlike(was, is)) this.match(from, to, was.url === is.url ? everything | agrees.whole : everything);
    }
    if (contested.size === 0) return;
    const refine = (key: Key, more: (identity: Identity) => string) => (identity: Identity, index: number) => {
      const value = key(identity, index);
      return value !== null && contested.has(value) ? `${value}\n${more(identity)}` : null;
    };
    const refined = (more: (identity: Identity) => string) => ({
      previous: refine(keys.previous, more),
      next: refine(keys.next, more),
    });
    this.matchInOrder(
      refined((identity) => `${identity.url}\n${rest(identity)}`),
      everything | agrees.whole,
    );
    this.matchUnique(refined(rest));
  }

  /** Matches entries that stand for one another in the order of their lists, present ones first. */
  matchInOrder(keys: Keys, evidence: number): void {
    const { previous, next } = this.leftover();
    const waiting = this.queue(previous, keys.previous);
    for (const index of next) {
      const key = keyAt(this.next, index, keys.next);
      const found = key === null ? undefined : waiting.first.get(key);
      if (key === null || found === undefined || found < 0) continue;
      waiting.first.set(key, waiting.behind[found] ?? -1);
      this.match(found, index, evidence);
    }
  }

  /** Matches what is left and has a key that nothing else that is left has. A present entry hides missing ones. */
  private matchUnique(keys: Keys): void {
    const { previous, next } = this.leftover();
    const [present, missing] = this.byState(previous);
    const before = uniques(this.previous, present, keys.previous);
    for (const [key, index] of uniques(this.previous, missing, keys.previous)) {
      if (!before.has(key)) before.set(key, index);
    }
    for (const [key, to] of uniques(this.next, next, keys.next)) {
      const from = before.get(key) ?? -1;
      if (from >= 0 && to >= 0) this.match(from, to, everything);
    }
  }

  /** Previous entries of one key, present ones first, each in the order of the list; -1 is behind the last. */
  private queue(indexes: readonly number[], key: Key) {
    const first = new Map<string, number>();
    const behind = new Int32Array(this.previous.length).fill(-1);
    const [present, missing] = this.byState(indexes);
    for (const index of [...missing.toReversed(), ...present.toReversed()]) {
      const value = keyAt(this.previous, index, key);
      if (value === null) continue;
      behind[index] = first.get(value) ?? -1;
      first.set(value, index);
    }
    return { first, behind };
  }

  private byState(indexes: readonly number[]): readonly [present: readonly number[], missing: readonly number[]] {
    const missing = indexes.filter((index) => this.previous[index]?.missing === true);
    if (missing.length === 0) return [indexes, missing];
    return [indexes.filter((index) => this.previous[index]?.missing === false), missing];
  }
}

function openOf(matched: Int32Array): number[] {
  const open: number[] = [];
  for (let index = 0; index < matched.length; index += 1) {
    if (matched[index] === -1) open.push(index);
  }
  return open;
}

/** The only entry of each key; -1 where there are several. */
export function uniques(side: readonly Identity[], indexes: readonly number[], key: Key): Map<string, number> {
  const found = new Map<string, number>();
  for (const index of indexes) {
    const value = keyAt(side, index, key);
    if (value !== null) found.set(value, found.has(value) ? -1 : index);
  }
  return found;
}

function keyAt(side: readonly Identity[], index: number, key: Key): string | null {
  const identity = side[index];
  return identity === undefined ? null : key(identity, index);
}

/** All but the address, as written. No part holds a line feed: they were read from lines. */
function rest({ title, tvgId, group }: Identity): string {
  return `${title}\n${tvgId ?? ''}\n${group}`;
}

function isRestAlike(was: Identity, is: Identity): boolean {
  return was.title === is.title && was.tvgId === is.tvgId && was.group === is.group;
}
