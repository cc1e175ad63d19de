import { countryOfId, onlyCountry } from '../../model/country.js';
import { guideKey } from '../../model/guide.js';
import type { MatchTarget } from '../../model/guide-match.js';
import { type Name, readNames, singular } from './name.js';

/** A channel of a guide with its names taken apart. */
export type Target = {
  readonly target: MatchTarget;
  readonly key: string;
  readonly names: readonly Name[];
  /** That its id or its names say, or null. */
  readonly country: string | null;
};

/** The channels of one guide source, to be looked through. */
export type GuideIndex = {
  readonly guideSource: number;
  readonly byKey: ReadonlyMap<string, Target>;
  /** By ids without their feeds (`withoutFeed`). */
  readonly byStem: ReadonlyMap<string, readonly Target[]>;
  readonly byBare: ReadonlyMap<string, readonly Target[]>;
  /** Those that have a word, or its plural, and the numbers and shift of a name. */
  withWord(word: string, name: Name): readonly Target[];
  /** 0 to 1: how much a word tells, 1 for one that a single channel has, or none. */
  weight(word: string): number;
  /** Whether channels of several countries have this name, or all its words. */
  isInternational(name: Name): boolean;
};

/** How many channels have a word, and of which countries they are. */
type WordUse = { count: number; readonly countries: Set<string> };

/** Guides list the number of a channel beside its names. */
const onlyNumber = /^[\d.\s-]*$/;

/** The order of the channels plays no part. */
export function indexTargets(guideSource: number, targets: Iterable<MatchTarget>): GuideIndex {
  const byKey = new Map<string, Target>();
  for (const target of targets) {
    const key = guideKey(target.guideId);
    if (key !== null) byKey.set(key, read(target, key));
  }
  const sorted = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  const byBare = group(sorted, ({ names }) => names.map(({ bare }) => bare).filter((bare) => bare !== ''));
  const byWord = group(sorted, ({ names }) => names.flatMap((name) => name.words.map((word) => place(word, name))));
  const uses = usesOf(sorted);
  const all = Math.log1p(Math.max(sorted.length, 1));
  const isOfSeveral = (countries: ReadonlySet<string> | undefined) => (countries?.size ?? 0) > 1;
  return {
    guideSource,
    byKey,
    byStem: group(sorted, ({ key }) => [withoutFeed(key)]),
    byBare,
    withWord: (word, name) => byWord.get(place(word, name)) ?? [],
    weight: (word) => Math.min(1, Math.log1p(sorted.length / (uses.get(word)?.count ?? 1)) / all),
    isInternational: ({ bare, words }) =>
      isOfSeveral(countriesOf(byBare.get(bare) ?? [])) || words.every((word) => isOfSeveral(uses.get(word)?.countries)),
  };
}

/** An id without the feed that some write behind an `@`: `bbcone.uk@hd` as `bbcone.uk`. */
export function withoutFeed(key: string): string {
  return key.replace(/@.*$/su, '');
}

function place(word: string, { numbers, shift }: Name): string {
  return `${singular(word)} ${numbers} ${shift}`;
}

function countriesOf(targets: readonly Target[]): Set<string> {
  return new Set(targets.flatMap(({ country }) => country ?? []));
}

function usesOf(targets: readonly Target[]): Map<string, WordUse> {
  const uses = new Map<string, WordUse>();
  for (const { names, country } of targets) {
    for (const word of new Set(names.flatMap(({ words }) => words))) {
      const use = uses.get(word) ?? { count: 0, countries: new Set() };
      use.count += 1;
      if (country !== null) use.countries.add(country);
      uses.set(word, use);
    }
  }
  return uses;
}

function read(target: MatchTarget, key: string): Target {
  const said = target.names.filter((name) => !onlyNumber.test(name));
  const names = (said.length > 0 ? said : [nameOfId(target.guideId)]).flatMap(readNames);
  return { target, key, names, country: countryOfId(key) ?? onlyCountry(names.map(({ country }) => country)) };
}

/** `BBCOne.uk` as `BBC One`, for what has no name. */
export function nameOfId(id: string): string {
  const bare = id.replace(/@.*$/su, '').replace(/\.[a-z]{2}$/iu, '');
  return bare
    .replace(/[._-]/g, ' ')
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ');
}

function group(targets: readonly Target[], keysOf: (target: Target) => readonly string[]): Map<string, Target[]> {
  const groups = new Map<string, Target[]>();
  for (const target of targets) {
    for (const key of new Set(keysOf(target))) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [target]);
      else known.push(target);
    }
  }
  return groups;
}
