/** As written, name and value. */
export type Attribute = readonly [name: string, value: string];

/** HTTP header fields by the name that was written. */
export type Headers = Readonly<Record<string, string>>;

export type EntryUrl = {
  /** Without label and headers; a multicast address without `@` before the group. */
  readonly url: string;
  /** What stood behind `$`, or null. */
  readonly label: string | null;
  /** What stood behind `|`, for this address only. */
  readonly headers: Headers;
};

/** A `#EXT…` or `#KODIPROP` line that belongs to an entry. */
export type Directive = {
  readonly name: string;
  readonly value: string;
  /** Whether it stood before the EXTINF line. */
  readonly before: boolean;
};

/** One channel as a list says it. */
export type PlaylistEntry = {
  /** Of its EXTINF line, or its only line; the first is 1. */
  readonly line: number;
  /** The lines it was read from, as they stood. */
  readonly raw: string;
  readonly name: string;
  /** Null for placeholders such as `(no tvg-id)` too. */
  readonly tvgId: string | null;
  readonly tvgName: string | null;
  /** Channel number as written: 7.10 is not 7.1. */
  readonly number: string | null;
  readonly logo: string | null;
  readonly groups: readonly string[];
  readonly radio: boolean;
  /** One at least; the others are alternatives. */
  readonly urls: readonly EntryUrl[];
  /** For all its addresses: its own, else its directives', else the list's. */
  readonly headers: Headers;
  /** In the order written, doubled ones too. */
  readonly attributes: readonly Attribute[];
  readonly directives: readonly Directive[];
};

export type ProblemCode =
  | 'alternative-without-entry'
  | 'bad-address'
  | 'doubled-attribute'
  | 'entry-without-url'
  | 'name-missing'
  | 'not-a-playlist';

export type Problem = { readonly line: number; readonly code: ProblemCode; readonly message: string };

export type Playlist = {
  readonly header: { readonly attributes: readonly Attribute[] };
  readonly entries: readonly PlaylistEntry[];
  readonly problems: readonly Problem[];
  /** Why the whole of it is not a list of channels, or null. */
  readonly refusal: string | null;
};
