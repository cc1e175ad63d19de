import type { Archive, CatchupSetting } from './archive.js';
import type { Attribute, Directive, Headers } from './entry.js';
import type { Upstream } from './stream.js';

/** Ids of the player families that a list can be written for. */
export const profileIds = ['generic', 'kodi', 'tivimate', 'ott', 'aptv', 'tvbox', 'jellyfin', 'vlc'] as const;
export type ProfileId = (typeof profileIds)[number];

/** Lines such as `#KODIPROP:inputstream=…` that players of a profile are given with a channel. */
export type Hints = Readonly<Partial<Record<ProfileId, readonly string[]>>>;

/** What goes through Weir without being understood, and comes out again. */
export type Extras = {
  readonly attributes: readonly Attribute[];
  readonly directives: readonly Directive[];
  /** What the provider wants to be asked with, for players that are given its own address. */
  readonly headers: Headers;
  readonly hints: Hints;
};

/** What Weir publishes: the effective values, an edit by the user winning over rules and over what the provider said. */
export type Channel = {
  /** Ours, never reused. */
  readonly id: number;
  /** Short, stable, ours: names the channel in `/stream/{key}`. */
  readonly key: string;
  readonly name: string;
  /** As text: 7.10 is not 7.1. */
  readonly number: string | null;
  readonly groups: readonly string[];
  /** The address where the picture comes from. */
  readonly logo: string | null;
  readonly tvgId: string | null;
  /** Seconds that its guide is late. */
  readonly guideShift: number | null;
  readonly radio: boolean;
  readonly extras: Extras | null;
  /** Null when the relay cannot receive it: then `direct` is what is published. */
  readonly upstream: Upstream | null;
  /** The provider's own address, or null: published only where the relay cannot receive it and its source allows it. */
  readonly direct: string | null;
  /** Seconds between membership reports while it is received, or null for the configured time; 0 is never. */
  readonly membershipRefresh: number | null;
  /** What there is of its past, or null. */
  readonly archive: Archive | null;
};

/** What a user set on a channel; null follows the provider. A refresh never changes it. */
export type ChannelOverride = {
  readonly name: string | null;
  readonly number: string | null;
  readonly logo: string | null;
  readonly groups: readonly string[] | null;
  readonly tvgId: string | null;
  /** Seconds. */
  readonly guideShift: number | null;
  readonly hidden: boolean | null;
  /** Where it stands among the channels that have one; those without follow in the order of their lists. */
  readonly order: number | null;
  readonly catchup: CatchupSetting | null;
  readonly hints: Hints | null;
};

/** `listed` in playlists; `hidden` by the user or a rule; `unplayable` by the relay yet; `missing` from its list for a while. */
export const channelStates = ['listed', 'hidden', 'unplayable', 'missing'] as const;

/** A channel as it is managed: effective values, where they come from, and its entries. */
export type ChannelStatus = {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly number: string | null;
  readonly groups: readonly string[];
  readonly logo: string | null;
  readonly tvgId: string | null;
  readonly guideShift: number | null;
  readonly radio: boolean;
  readonly order: number | null;
  readonly hidden: boolean;
  /** Whether its entry is missing from its list since the last refresh; it stays for a while. */
  readonly missing: boolean;
  /** Whether the relay can receive it. */
  readonly playable: boolean;
  /** Whether playlists hold it. */
  readonly published: boolean;
  /** The source of the entry that speaks for it. */
  readonly source: number;
  /** What there is of its past, or null. */
  readonly archive: Pick<Archive, 'days' | 'scheme'> | null;
};

/** The same with everything that a person who edits it wants to see. */
export type ChannelDetail = ChannelStatus & {
  readonly override: ChannelOverride;
  /** What the provider says, rules not applied. */
  readonly said: {
    readonly name: string;
    readonly number: string | null;
    readonly groups: readonly string[];
    readonly logo: string | null;
    readonly tvgId: string | null;
  };
  /** Its entries, the best first. */
  readonly entries: readonly number[];
  /** Changes with each edit and each refresh that touches it. */
  readonly etag: string;
};

/** What channels are looked for by; all of it has to hold. */
export type ChannelFilter = {
  /** Every word of it stands in the name, the provider's name, the number or the guide id, in any case and width. */
  readonly q?: string | undefined;
  readonly group?: string | undefined;
  readonly source?: number | undefined;
  readonly state?: (typeof channelStates)[number] | undefined;
};
