import type { Suggestion } from '../model/change.js';
import { countryOfId, onlyCountry } from '../model/country.js';
import { fold } from '../model/search.js';
import { countryOfGroup, readTitle, type Title } from '../model/title.js';
import type { NamedChannel } from '../store/listing.js';

export type SuggestOptions = {
  /** Ids of the sources, the best first. */
  readonly sources: readonly number[];
  /** How many pairs are suggested at most. */
  readonly limit: number;
};

export type Pair = Pick<Suggestion, 'channel' | 'other' | 'reason'> & { readonly kind: 'same-guide-id' | 'same-name' };

export type Suggested = {
  /** The surest first: those of one guide id, then as their channels stand. */
  readonly pairs: readonly Pair[];
  /** Pairs over the limit. */
  readonly leftOut: number;
};

/** A channel whose name is like another's. */
type Known = Pick<NamedChannel, 'channel' | 'source' | 'name' | 'tvgId' | 'isEdited'> & {
  readonly country: string | null;
  readonly aside: string | null;
  readonly guideId: string | null;
  /** Of its source among the others. */
  readonly place: number;
};
type Match = { readonly kind: Pair['kind']; readonly stays: Known; readonly goes: Known };

/**
 * Finds channels that may be one: their names are the same but for quality, country and brackets. Numbers in names, a `+1`,
 * two countries, two regions in brackets, radio and television keep channels apart; one that says no country joins those of
 * one country, never of several. Of each such set one stays, that others are suggested to be merged into: one that a user
 * changed, else of the best source, else the oldest. The order of the channels plays no part.
 */
export function suggest(channels: readonly NamedChannel[], { sources, limit }: SuggestOptions): Suggested {
  const places = new Map(sources.map((source, place) => [source, place]));
  const groupCountry = remember(countryOfGroup);
  const know = ([{ channel, source, name, tvgId, isEdited, groups }, title]: Titled): Known => {
    const guideId = guideIdOf(tvgId);
    const country = title.country ?? countryOfId(guideId) ?? onlyCountry(groups.map(groupCountry));
    const place = places.get(source) ?? sources.length;
    return { channel, source, name, tvgId, isEdited, guideId, country, place, aside: title.aside || null };
  };
  const matches = alikes(channels)
    .map((alike) => alike.map(know))
    .flatMap((alike) => parties(alike, ({ country }) => country))
    .flatMap((alike) => parties(alike, ({ aside }) => aside))
    .flatMap(matchesOf)
    .sort(byCertainty);
  const pairs = matches.slice(0, limit).map((match): Pair => {
    const { kind, stays, goes } = match;
    return { kind, channel: stays.channel, other: goes.channel, reason: reasonOf(match) };
  });
  return { pairs, leftOut: matches.length - pairs.length };
}

type Titled = readonly [channel: NamedChannel, title: Title];

/** Sets of channels whose bare names are the same. */
function alikes(channels: readonly NamedChannel[]): Titled[][] {
  const titled = channels.map((channel): Titled => [channel, readTitle(channel.name)]);
  const named = titled.filter(([, { bare }]) => bare !== '');
  const sets = groupBy(named, ([{ radio }, { bare }]) => (radio ? `${bare} radio` : bare));
  return [...sets.values()].filter((alike) => alike.length > 1);
}

/** Those who say the same, each set by itself. Who says nothing joins the others while there is one set of them only. */
function parties(channels: readonly Known[], label: (channel: Known) => string | null): Known[][] {
  const sets = groupBy(channels, label);
  return sets.size - Number(sets.has(null)) <= 1 ? [[...channels]] : [...sets.values()];
}

function matchesOf(channels: readonly Known[]): Match[] {
  const [stays, ...others] = channels.toSorted(byRank);
  if (stays === undefined) return [];
  return others.map((goes) => {
    const isSameId = stays.guideId !== null && stays.guideId === goes.guideId;
    return { kind: isSameId ? 'same-guide-id' : 'same-name', stays, goes };
  });
}

function byRank(a: Known, b: Known): number {
  return Number(b.isEdited) - Number(a.isEdited) || a.place - b.place || a.channel - b.channel;
}

/** `same-guide-id` is before `same-name` in the alphabet as well. */
function byCertainty(a: Match, b: Match): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return byRank(a.stays, b.stays) || byRank(a.goes, b.goes);
}

function reasonOf({ kind, stays, goes }: Match): string {
  const names =
    stays.name === goes.name
      ? `Both are called "${stays.name}"`
      : `"${stays.name}" and "${goes.name}" are the same name but for quality, country and brackets`;
  const where = stays.source === goes.source ? 'in one list' : 'in two lists';
  return kind === 'same-guide-id'
    ? `${names}, ${where}, and both have guide id "${stays.tvgId}".`
    : `${names}, ${where}.`;
}

/** Without the feed that some guides write behind an `@`. */
function guideIdOf(tvgId: string | null): string | null {
  if (tvgId === null) return null;
  return fold(tvgId).replace(/@.*$/su, '').trim() || null;
}

/** The same function, asked once for each text. */
function remember<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined || made.has(text)) return known as T;
    const value = make(text);
    made.set(text, value);
    return value;
  };
}

function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const value = key(item);
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [item]);
    else group.push(item);
  }
  return groups;
}
