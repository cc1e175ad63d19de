import { parseUpstreamUrl } from '../model/upstream.js';

/** What an entry is recognised by from one refresh to the next. */
export type Identity = {
  /** Group, port and sender of multicast, else the address without its volatile parts. */
  readonly place: string;
  /** Without case, blanks and punctuation. */
  readonly name: string;
  readonly tvgId: string | null;
  readonly group: string;
  /** Not in the provider's list any more; one that is present goes before it. */
  readonly missing: boolean;
};

export type Matching = {
  /** By index of the next entries: the index of the previous one that it continues, or null for a new one. */
  readonly continues: readonly (number | null)[];
  /** Pairs that share a place and nothing else: most likely a place given to another channel. */
  readonly suspects: readonly (readonly [previous: number, next: number])[];
};

type Said = {
  readonly url: string;
  readonly name: string;
  readonly tvgId: string | null;
  readonly groups: readonly string[];
  readonly missing?: boolean;
};

export function identityOf({ url, name, tvgId, groups, missing = false }: Said): Identity {
  return { place: placeOf(url), name: bareName(name), tvgId, group: groups.join(';'), missing };
}

/** Quality marks are kept: "News HD" and "News SD" are two channels. */
function bareName(name: string): string {
  const bare = name.normalize('NFKC').toLowerCase();
  return bare.replace(/[^\p{L}\p{N}+]/gu, '') || bare.trim();
}

/** Query keys that change from one fetch of a list to the next. */
const volatile =
  /^(?:token|auth|key|sig|sign|signature|hash|expires?|exp|st|e|ts|time|session|sid|jwt|nonce|rand?|_)$/i;

function placeOf(url: string): string {
  const parsed = parseUpstreamUrl(url);
  if (parsed !== null && 'upstream' in parsed) {
    const { address, port, source } = parsed.upstream;
    return `${source ?? ''}@${address}:${port}`;
  }
  if (!URL.canParse(url)) return url;
  const { pathname, searchParams } = new URL(url);
  const query = [...searchParams].filter(([name]) => !volatile.test(name));
  return `${pathname}?${new URLSearchParams(query)}`;
}

/**
 * Finds the previous entry that each next one continues, strongest keys first. Each round matches only what is unmatched
 * and unique on both sides. A place alone counts only while neither name nor id speaks for somebody else: such pairs wait
 * until the other keys have been tried, so that two channels that swap their addresses keep their own identity.
 */
export function matchEntries(previous: readonly Identity[], next: readonly Identity[]): Matching {
  const matcher = new Matcher(previous, next);
  matcher.round(wholeOf);
  matcher.round(({ place, name }) => `${place}\n${name}`);
  matcher.placeRound();
  matcher.round(({ tvgId, name }) => (tvgId === null ? null : `${tvgId}\n${name}`));
  matcher.round(({ name, group }) => `${name}\n${group}`);
  matcher.placeRound();
  matcher.matchDoubles();
  return matcher.result();
}

type Key = (identity: Identity) => string | null;
type Pair = readonly [previous: number, next: number];
type Side = 'previous' | 'next';

class Matcher {
  private readonly sides: Record<Side, readonly Identity[]>;
  /** By index: the index on the other side. */
  private readonly matched: Record<Side, Map<number, number>> = { previous: new Map(), next: new Map() };
  private suspects: Pair[] = [];

  constructor(previous: readonly Identity[], next: readonly Identity[]) {
    this.sides = { previous, next };
  }

  round(key: Key): void {
    for (const pair of this.pairs(key)) this.match(pair);
  }

  /** Judges all pairs by what was unmatched when the round began, so that the order of a list plays no part. */
  placeRound(): void {
    const pairs = this.pairs(({ place }) => place);
    this.suspects = [];
    if (pairs.length === 0) return;
    const names = this.countBoth(({ name }) => name);
    const ids = this.countBoth(({ tvgId }) => tvgId);
    const uniqueIds = { previous: this.count('previous', tvgIdOf, true), next: this.count('next', tvgIdOf, true) };
    for (const [from, to] of pairs) {
      const before = this.sides.previous[from];
      const after = this.sides.next[to];
      if (before === undefined || after === undefined) continue;
      const sameId = before.tvgId !== null && before.tvgId === after.tvgId;
      const speaks = (counts: typeof names, was: string | null, is: string | null) =>
        was !== is && (isIn(counts.next, was) || isIn(counts.previous, is));
      const isVouched = sameId && isOnce(uniqueIds.previous, before.tvgId) && isOnce(uniqueIds.next, after.tvgId);
      const isContested = speaks(names, before.name, after.name) || speaks(ids, before.tvgId, after.tvgId);
      const isSuspect = before.name !== after.name && before.group !== after.group && !sameId;
      if (isVouched || !(isContested || isSuspect)) this.match([from, to]);
      else if (isSuspect) this.suspects.push([from, to]);
    }
  }

  /** Entries that are alike in everything stand for one another: in the order of their lists. */
  matchDoubles(): void {
    const waiting = new Map<string | null, number[]>();
    for (const index of this.unmatched('previous')) {
      const value = this.keyOf('previous', index, wholeOf);
      waiting.set(value, [...(waiting.get(value) ?? []), index]);
    }
    for (const index of this.unmatched('next')) {
      const previous = waiting.get(this.keyOf('next', index, wholeOf))?.shift();
      if (previous !== undefined) this.match([previous, index]);
    }
  }

  result(): Matching {
    const continues = this.sides.next.map((_, index) => this.matched.next.get(index) ?? null);
    const open = ([from, to]: Pair) => !(this.matched.previous.has(from) || this.matched.next.has(to));
    return { continues, suspects: this.suspects.filter(open) };
  }

  private match([previous, next]: Pair): void {
    this.matched.previous.set(previous, next);
    this.matched.next.set(next, previous);
  }

  private unmatched(side: Side): number[] {
    return [...this.sides[side].keys()].filter((index) => !this.matched[side].has(index));
  }

  private keyOf(side: Side, index: number, key: Key): string | null {
    const identity = this.sides[side][index];
    return identity === undefined ? null : key(identity);
  }

  private pairs(key: Key): Pair[] {
    const previous = this.uniques('previous', key);
    const pairs: Pair[] = [];
    if (previous.size === 0) return pairs;
    for (const [value, to] of this.uniques('next', key)) {
      const from = previous.get(value);
      if (from !== undefined && from !== null && to !== null) pairs.push([from, to]);
    }
    return pairs;
  }

  /** The only unmatched entry of each key; null where there are several. A present one hides those that are missing. */
  private uniques(side: Side, key: Key): Map<string, number | null> {
    const found = new Map<string, number | null>();
    const missing = new Map<string, number | null>();
    for (const index of this.unmatched(side)) {
      const value = this.keyOf(side, index, key);
      if (value === null) continue;
      const uniques = this.sides[side][index]?.missing === true ? missing : found;
      uniques.set(value, uniques.has(value) ? null : index);
    }
    return new Map([...missing, ...found]);
  }

  private countBoth(key: Key) {
    return { previous: this.count('previous', key, false), next: this.count('next', key, false) };
  }

  /** How many entries have each key: all of them, or only those unmatched. */
  private count(side: Side, key: Key, all: boolean): Map<string | null, number> {
    const counts = new Map<string | null, number>();
    for (const index of all ? this.sides[side].keys() : this.unmatched(side)) {
      const value = this.keyOf(side, index, key);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  }
}

/** No part holds a line feed: they were read from lines. */
const wholeOf: Key = ({ place, name, group, tvgId }) => `${place}\n${name}\n${group}\n${tvgId ?? ''}`;
const tvgIdOf: Key = ({ tvgId }) => tvgId;

function isIn(counts: Map<string | null, number>, value: string | null): boolean {
  return value !== null && value !== '' && counts.has(value);
}

function isOnce(counts: Map<string | null, number>, value: string | null): boolean {
  return counts.get(value) === 1;
}
