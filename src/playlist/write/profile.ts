import type { Attribute, Headers } from '../../model/entry.js';

/** How the address of a provider is published, with the HTTP headers that it has to be asked with. */
export type Direct = {
  readonly url: string;
  readonly attributes: readonly Attribute[];
  /** Whole lines. */
  readonly directives: readonly string[];
};

/** What a player is told of a channel's past: `days` that it reaches back, `url` of its stream as it stands in the list. */
export type Archives = (archive: { readonly days: number; readonly url: string }) => readonly Attribute[];

/** What a family of players reads, and how. All texts given are clean (text.ts). */
export type Profile = {
  /** Behind `/stream/{key}`. */
  readonly extension: '' | '.ts';
  /** What the player shows as it is given; never empty for a name that is not. */
  readonly name: (name: string) => string;
  /** Of attributes; they may hold commas where this leaves them. */
  readonly value: (value: string) => string;
  /** A number that the player understands, or null. */
  readonly number: (number: string) => string | null;
  /** Whether `group-title` is split at `;`: others would show `News;HD` as one group, so they get the first. */
  readonly splitsGroups: boolean;
  /** Where other lines than EXTINF and address stand. Most players take the line below EXTINF for the address. */
  readonly directives: 'before' | 'after';
  /** Lines for each stream of ours, unless the user's hints say the same property. */
  readonly local: readonly string[];
  /** How the past of a stream of ours is asked for: placeholders that this family fills, times that mean the same everywhere. */
  readonly archives: Archives;
  readonly direct: (url: string, headers: Headers) => Direct;
};
