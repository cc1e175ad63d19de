import type { Catchup, CatchupMode, Headers } from './entry.js';

/** Part of the past that is asked for. Instants are epoch seconds, whole or not. */
export type Wish = {
  readonly start: number;
  /** Null is open: whatever there is, now and later. */
  readonly end: number | null;
};

/** What a household says of an archive; null follows what is below it: the source, else the entry, else the header of its list. */
export type CatchupSetting = {
  /** `none` is no archive, whatever the list says. */
  readonly mode: CatchupMode | 'none' | null;
  /** The template of the address; goes with `mode`. */
  readonly source: string | null;
  /** How far it reaches back. */
  readonly days: number | null;
  /** Hours taken from the times in addresses. */
  readonly correction: number | null;
  /** IANA name, `UTC+8` or `+05:45`: what times in addresses are written in. */
  readonly zone: string | null;
  /** What `{utc:FORMAT}` and its like are written in; null is UTC. */
  readonly formatted: 'utc' | 'zone' | null;
  /** Wishes that begin no more than so many seconds ago go by `Range: clock` (RFC 2326 §12.29). */
  readonly nearLive: number | null;
  /** How many sessions the provider allows at one time. */
  readonly sessions: number | null;
};

/** How a channel is asked for what is past: `playseek` is told from the address alone. */
export type ArchiveMode = CatchupMode | 'playseek';

/** Who said something of an archive. */
export type CatchupOrigin = 'override' | 'source' | 'entry' | 'list' | 'address' | 'default';

/** What holds of a channel's archive in the end, and who said it. */
export type ChannelCatchup = {
  readonly channel: number;
  readonly mode: ArchiveMode;
  readonly template: string | null;
  readonly days: number;
  /** Hours taken from the times in addresses. */
  readonly correction: number;
  readonly zone: string | null;
  readonly formatted: 'utc' | 'zone';
  /** Seconds; 0 is never. */
  readonly nearLive: number;
  readonly sessions: number | null;
  /** Addresses of its entry that templates may be put behind, rtsp and http(s) alone, in their order. */
  readonly urls: readonly string[];
  readonly headers: Headers;
  readonly interface: string | null;
  readonly said: Readonly<Record<'mode' | 'days' | 'correction' | 'zone', CatchupOrigin>>;
};

export const archiveSchemes = ['rtsp', 'http', 'https', 'other'] as const;

/** What is published of a channel's archive. */
export type Archive = {
  /** How far it reaches back. */
  readonly days: number;
  /** Of the addresses by which it is reached. */
  readonly scheme: (typeof archiveSchemes)[number];
  /** What players are told who are given the provider's own address. */
  readonly said?: Catchup;
};

/** The schemes of archives that the relay carries. */
export const carried: ReadonlySet<Archive['scheme']> = new Set<Archive['scheme']>(['rtsp']);

/** What was kept of a setting, perhaps by a version that knew fewer fields: those that are absent follow what is below. */
export function settingOf(kept: Partial<CatchupSetting>): CatchupSetting {
  const { mode = null, source = null, days = null, correction = null } = kept;
  const { zone = null, formatted = null, nearLive = null, sessions = null } = kept;
  return { mode, source, days, correction, zone, formatted, nearLive, sessions };
}

/**
 * What is published of an entry's archive. `settings` are those of its channel and of its source, in this order; `urls` are all its
 * addresses. Null when it has none.
 */
export declare function archiveOf(
  said: Catchup | null,
  settings: readonly (CatchupSetting | null)[],
  urls: readonly string[],
): Archive | null;
