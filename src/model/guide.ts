import type { Icon, LangText, WebLink } from './programme.js';

export const guideProblemCodes = [
  'bad-nesting',
  'bad-markup',
  'bad-time',
  'no-time',
  'no-channel',
  'no-title',
  'backwards',
  'too-far',
  'bare-ampersand',
  'unknown-entity',
  'control-character',
  'wrong-encoding',
  'unknown-element',
  'bad-value',
  'duplicate-programme',
  'duplicate-channel',
  'element-too-long',
  'truncated',
  'not-a-guide',
  'unreadable',
] as const;

export type GuideProblem = {
  /** Of the inflated bytes where it was met first; null when it belongs to no place. */
  readonly offset: number | null;
  readonly code: (typeof guideProblemCodes)[number];
  readonly message: string;
  readonly count: number;
};

/** A `<channel>`, or an id that programmes alone name. */
export type GuideChannel = {
  readonly guideId: string;
  readonly names: readonly LangText[];
  readonly icons: readonly Icon[];
  readonly urls: readonly WebLink[];
};

/** With what the whole guide holds for it, read or not. `near`: programmes in [now − 1 d, now + 2 d]. */
export type GuideChannelFacts = GuideChannel & {
  readonly programmes: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly near: number;
};

export type GuideCounts = {
  readonly channels: number;
  readonly programmes: number;
  readonly first: number | null;
  readonly last: number | null;
  /** Of wanted channels: unchanged ones were neither parsed nor written, reused ones not parsed. */
  readonly wanted: number;
  readonly unchanged: number;
  readonly reused: number;
  readonly parsed: number;
  readonly removed: number;
  readonly lost: number;
  readonly problems: Readonly<Record<string, number>>;
};

export const feedStates = [
  'idle',
  'fetching',
  'validating',
  'staging',
  'published',
  'quarantined',
  'failed',
  'missing',
] as const;

export type GuideSettings = {
  readonly schedule: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string | null;
  readonly proxy: string | null;
  readonly timeZone: string | null;
  readonly encoding: string | null;
  /** Seconds. */
  readonly shift: number;
};

export type GivenGuide = Partial<GuideSettings> & { readonly location: string; readonly name?: string | null };
export type GuideSource = GuideSettings & {
  readonly id: number;
  readonly kind: 'file' | 'url';
  readonly location: string;
  readonly name: string | null;
  readonly origin: 'given' | 'user' | 'list';
  readonly position: number;
  readonly enabled: boolean;
  readonly missingSince: number | null;
  /** Ids of lists that name it. */
  readonly lists: readonly number[];
  readonly version: number;
};

export type GuideSourceStatus = GuideSource & {
  readonly state: (typeof feedStates)[number];
  readonly reason: string | null;
  readonly counts: GuideCounts | null;
  readonly linked: number;
  readonly failures: number;
  /** A quarantined body that can be accepted. */
  readonly waiting: {
    readonly snapshot: number;
    readonly since: number;
    readonly reason: string;
  } | null;
  readonly nextRefreshAt: number | null;
  readonly refreshedAt: number | null;
  readonly publishedAt: number | null;
};

export type NewGuideSource = Partial<GuideSettings> & {
  readonly kind: 'file' | 'url';
  readonly location: string;
  readonly name?: string | null;
  readonly enabled?: boolean;
  readonly position?: number;
};

export type Placeholder = {
  /** Of a block, 5 to 720. */
  readonly minutes: number;
  /** `{name}` stands for the channel's. */
  readonly title: string;
};

export type GuideLink = {
  readonly id: number;
  readonly channel: number;
  readonly guideSource: number;
  readonly guideId: string;
  readonly rank: number;
  /** Seconds. */
  readonly shift: number;
  readonly origin: 'auto' | 'user';
  readonly locked: boolean;
  readonly score: number | null;
  readonly reasons: readonly string[];
  readonly names: readonly string[];
  readonly verifiedAt: number;
};

export type ChannelGuide = {
  readonly channel: number;
  readonly mode: 'auto' | 'manual' | 'none';
  readonly placeholder: Placeholder | null;
  readonly links: readonly GuideLink[];
};

/** What the guide needs of a channel that is shown. */
export type GuideReceiver = {
  readonly channel: number;
  readonly key: string;
  readonly name: string;
  readonly number: string | null;
  readonly tvgId: string | null;
  /** Seconds. */
  readonly guideShift: number | null;
  /** Of its catch-up, 0 without. */
  readonly days: number;
  readonly logo: string | null;
};

export type Coverage = {
  readonly channel: number;
  readonly name: string;
  readonly links: number;
  /** Share of the next 24 h and of the next 7 days that programmes of guides cover, 0 to 1. */
  readonly day: number;
  readonly week: number;
  /** End of the last programme. */
  readonly until: number | null;
  /** When the guides it hangs on were published last. */
  readonly refreshedAt: number | null;
  readonly state: 'covered' | 'thin' | 'ending' | 'empty' | 'unlinked' | 'none';
};

/** Ids that mean none: what generators and panels write where they know nothing. */
const meaningless = /^(?:0|-|n\/?a|none|null|undefined|unknown|\(?no tvg-id\)?)$/;

/** What guide ids are compared by: trimmed, in lower case; null for those that mean none. */
export function guideKey(id: string | null): string | null {
  const key = id?.normalize('NFC').trim().toLowerCase() ?? '';
  return key === '' || meaningless.test(key) ? null : key;
}

/** What the ids of a guide's own channels are compared by: in there, an id that means none elsewhere still is one. */
export function linkKey(guideId: string): string {
  return guideKey(guideId) ?? guideId.normalize('NFC').trim().toLowerCase();
}
