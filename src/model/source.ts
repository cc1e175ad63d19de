export const sourceStates = [
  'idle',
  'fetching',
  'validating',
  'staging',
  'published',
  'quarantined',
  'failed',
  'missing',
] as const;
/**
 * `idle` before the first refresh; `fetching`, `validating`, `staging` while one runs; then `published`, or `quarantined`
 * or `failed` with a reason, the last good list staying in service; `missing` when it is no longer given.
 */
export type SourceState = (typeof sourceStates)[number];
export type SourceKind = 'file' | 'url';

/** A list of channels as flag or configuration gives it. */
export type GivenSource = {
  /** A path, or an http(s) address. */
  readonly location: string;
  /** What its channels are received on: the name of an interface, several with commas between them, or null for the configured one. */
  readonly interface: string | null;
  /** Seconds between membership reports for its channels, or null for the configured time; 0 is never. */
  readonly membership_refresh: number | null;
};

/** A list of channels and how its last refresh went. Times are epoch seconds. */
export type SourceStatus = {
  readonly id: number;
  readonly kind: SourceKind;
  /** A path, or an address without credentials and query. */
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
  /** The last refresh that found a usable list, or null. */
  readonly refreshedAt: number | null;
  /** When the list in service was published, or null. */
  readonly publishedAt: number | null;
};

/** Whether a location is an address to download, or else a path. */
export function sourceKind(location: string): SourceKind {
  return /^https?:\/\//i.test(location) ? 'url' : 'file';
}

/** The location as it may be shown: user, password and the query, where providers put accounts, are left out. */
export function shownLocation(location: string): string {
  if (sourceKind(location) === 'file') return location;
  if (!URL.canParse(location)) return `${location.slice(0, location.indexOf(':'))}://…`;
  const url = new URL(location);
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
