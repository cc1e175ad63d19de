import type { CatchupSetting } from './archive.js';

export const sourceStates = [
  'idle',
  'fetching',
  'validating',
  'staging',
  'published',
  'quarantined',
  'failed',
  'missing',
  'removed',
] as const;
/**
 * `idle` before the first refresh; `fetching`, `validating`, `staging` while one runs; then `published`, or `quarantined`
 * or `failed` with a reason, the last good list staying in service; `missing` when it is no longer given; `removed` by the
 * user, while its rows are being deleted.
 */
export type SourceState = (typeof sourceStates)[number];
export const sourceKinds = ['file', 'url', 'inline'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** A list of channels as flag or configuration gives it. */
export type GivenSource = Partial<SourceSettings> & {
  /** A path, or an http(s) address. */
  readonly location: string;
  /** What its channels are received on: the name of an interface, several with commas between them, or null for the configured one. */
  readonly interface: string | null;
  /** Seconds between membership reports for its channels, or null for the configured time; 0 is never. */
  readonly membership_refresh: number | null;
};

/** How a list is fetched, read and published. */
export type SourceSettings = {
  /** An interval such as `90m` or `6h`, or a cron expression; null is hourly. */
  readonly schedule: string | null;
  /** HTTP header fields, sent to the list's server and meant for its streams. */
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string | null;
  /** The http, https or socks5 address of a proxy, or null. */
  readonly proxy: string | null;
  /** IANA name; of its cron expression, and of times in its addresses. */
  readonly timeZone: string | null;
  /** Of lines that are not UTF-8, or null to guess. */
  readonly encoding: 'windows-1252' | 'gb18030' | null;
  /** Whether movies and series become channels too. */
  readonly includeVod: boolean;
  /** Whether the provider's own address is published of what the relay cannot receive. */
  readonly publishDirect: boolean;
  /** What holds for the archives of its channels over what the list says, or null. */
  readonly catchup: CatchupSetting | null;
};

/** A list of channels and how its last refresh went. Times are epoch seconds. */
export type SourceStatus = SourceSettings & {
  readonly id: number;
  readonly kind: SourceKind;
  /** As the user calls it, or null. */
  readonly name: string | null;
  /** Whether flag or configuration give it: then it cannot be changed here. */
  readonly given: boolean;
  /** Whether it is refreshed. */
  readonly enabled: boolean;
  /** A path or an address, credentials included: `shownLocation` is what may be shown. */
  readonly location: string;
  /** What its channels are received on, or null for the configured interface. */
  readonly interface: string | null;
  readonly state: SourceState;
  readonly reason: string | null;
  /** Entries of the list in service. */
  readonly entries: number;
  /** Entries of these that are published as channels. */
  readonly channels: number;
  /** Entries that cannot be received yet, by scheme of their address. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Movies and series that were not made channels. */
  readonly kinds: Readonly<Record<string, number>>;
  /** What could not be read, by code of the problem. */
  readonly problems: Readonly<Record<string, number>>;
  /** Refreshes in a row that failed. */
  readonly failures: number;
  /** When it is refreshed next, or null. */
  readonly nextRefreshAt: number | null;
  /** The last refresh that found a usable list, or null. */
  readonly refreshedAt: number | null;
  /** When the list in service was published, or null. */
  readonly publishedAt: number | null;
  /** Counts the user's changes. */
  readonly version: number;
};

/** A list that a user adds. */
export type NewSource = Partial<SourceSettings> & {
  readonly kind: SourceKind;
  /** Of a list by address or file. */
  readonly location?: string | undefined;
  /** Of an inline list. */
  readonly content?: string | undefined;
  readonly name?: string | null | undefined;
  readonly interface?: string | null | undefined;
  readonly enabled?: boolean | undefined;
};
/** What a user changes of one; what is absent stays. */
export type SourcePatch = Partial<Omit<NewSource, 'kind'>>;

/** Whether a location is an address to download, a path, or the name of an inline list. */
export function sourceKind(location: string): SourceKind {
  if (location.startsWith('inline:')) return 'inline';
  return /^https?:\/\//i.test(location) ? 'url' : 'file';
}

/** The location as it may be shown: user, password and the query, where providers put accounts, are left out. */
export function shownLocation(location: string): string {
  if (sourceKind(location) !== 'url') return location;
  if (!URL.canParse(location)) return `${location.slice(0, location.indexOf(':'))}://…`;
  const url = new URL(location);
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
