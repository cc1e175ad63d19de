import type { Attribute, SaidEntry } from '../../model/entry.js';

/** One entry as a list says it; its name may be empty. */
export type PlaylistEntry = SaidEntry;

export type ProblemCode =
  | 'alternative-without-entry'
  | 'bad-address'
  | 'doubled-attribute'
  | 'entry-without-url'
  | 'name-missing'
  | 'not-a-playlist'
  | 'too-many-attributes'
  | 'too-many-problems';

export type Problem = { readonly line: number; readonly code: ProblemCode; readonly message: string };

export type Playlist = {
  readonly header: { readonly attributes: readonly Attribute[] };
  readonly entries: readonly PlaylistEntry[];
  readonly problems: readonly Problem[];
  /**
   * Entries of which iptv-playlist-parser reads another name, id, logo, group or address than what stands here. Counted when it
   * is asked for, which takes as long as reading the list.
   */
  readonly differences: number;
  /** Why the whole of it is not a list of channels, or null. */
  readonly refusal: string | null;
};
