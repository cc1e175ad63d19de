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

export const catchupModes = [
  'default',
  'append',
  'shift',
  'flussonic-hls',
  'flussonic-ts',
  'xc',
  'vod',
  'timeshift',
  'archive',
] as const;
export type CatchupMode = (typeof catchupModes)[number];

/** How a provider's archive is asked for. */
export type Catchup = {
  readonly mode: CatchupMode;
  /** The template of the address, as written. */
  readonly source: string | null;
  /** How far it reaches back. */
  readonly days: number | null;
  /** Hours taken from the times in addresses. */
  readonly correction: number | null;
};

export const entryKinds = ['live', 'movie', 'series'] as const;
/** Movies and series are told from live channels by their addresses, attributes, durations and groups. */
export type EntryKind = (typeof entryKinds)[number];

/** What a list says of one entry. */
export type SaidEntry = {
  /** Of its EXTINF line, or its only line; the first is 1. */
  readonly line: number;
  readonly kind: EntryKind;
  readonly name: string;
  /** Null for placeholders such as `(no tvg-id)` too. */
  readonly tvgId: string | null;
  readonly groups: readonly string[];
  readonly tvgName: string | null;
  /** Channel number as written: 7.10 is not 7.1. */
  readonly number: string | null;
  readonly logo: string | null;
  readonly radio: boolean;
  /** Seconds that its guide is late: its own `tvg-shift`, else its list's. */
  readonly guideShift: number | null;
  /** One at least; the others are alternatives. */
  readonly urls: readonly EntryUrl[];
  /** For all its addresses: its own, else its directives', else the list's. */
  readonly headers: Headers;
  /** Its own, else the list's, or null. */
  readonly catchup: Catchup | null;
  /** In the order written, doubled ones too. */
  readonly attributes: readonly Attribute[];
  readonly directives: readonly Directive[];
};

/** An entry as it is stored: what the provider said of it last. Instants are epoch seconds. */
export type Entry = SaidEntry & {
  readonly id: number;
  readonly source: number;
  readonly state: 'present' | 'missing' | 'left';
  /** Since when it is missing from its list, or null. */
  readonly missingSince: number | null;
  /** The channel that it belongs to, or null when it is none. */
  readonly channel: number | null;
};
