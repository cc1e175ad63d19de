import type { MessagePort } from 'node:worker_threads';
import type { feedStates, GuideChannelFacts, GuideCounts } from '../../model/guide.js';
import type { Page, Paging } from '../../model/page.js';
import type { Programme } from '../../model/programme.js';

/**
 * Rows of five numbers: guide channel, start, stop (0 when not said), content hash (a safe integer), text. Times are epoch
 * seconds as the guide says them.
 */
export type PackedAirings = Float64Array<ArrayBuffer>;

/** Contents of programmes as UTF-8 JSON (`ProgrammeContent`): that of `ids[i]` is `bodies` from `ends[i - 1]`, or 0, to `ends[i]`. */
export type PackedTexts = {
  readonly ids: Float64Array<ArrayBuffer>;
  /** The first title of each. */
  readonly titles: readonly string[];
  readonly bodies: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
};

/** A kept body, and what says that it is the same when it is fetched again. */
export type BodyRef = {
  /** Its name in the folder `guides`; null when it is not kept. */
  readonly file: string | null;
  readonly hash: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

export type GuideCause = 'start' | 'schedule' | 'file' | 'user' | 'accept' | 'links';
export type FeedState = Exclude<(typeof feedStates)[number], 'missing'>;

/** How a guide source stands. Instants are epoch seconds. */
export type FeedRow = {
  readonly source: number;
  readonly state: FeedState;
  readonly reason: string | null;
  /** What is in service; null before the first. */
  readonly service: {
    readonly snapshot: number;
    readonly body: BodyRef;
    /** How it was read: another one means that all of it is to be read again. */
    readonly manner: string;
    /** Whose channels describe it: what a back-fill hands on to `begin`. */
    readonly listing: number;
    readonly counts: GuideCounts;
  } | null;
  /** The quarantined body that can be accepted. */
  readonly waiting: {
    readonly snapshot: number;
    readonly since: number;
    readonly reason: string;
    readonly body: BodyRef;
    readonly counts: GuideCounts;
  } | null;
  readonly failures: number;
  readonly nextRefreshAt: number | null;
  /** When it was fetched last, whatever came of it. */
  readonly refreshedAt: number | null;
  readonly publishedAt: number | null;
};

/** One attempt to take over a body that was not the one in service. */
export type FeedRefresh = {
  readonly id: number;
  readonly source: number;
  readonly cause: GuideCause;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: 'published' | 'quarantined' | 'failed';
  readonly reason: string | null;
  readonly snapshot: number | null;
  readonly counts: Partial<GuideCounts>;
};

type Ended = { readonly source: number; readonly cause: GuideCause; readonly startedAt: number };

/** What a pass writes. Nothing of it is seen before `publish`. All reject with `conflict` when the snapshot is not staged (any more). */
export interface GuideStage {
  /**
   * Starts a snapshot; what a pass before it left half done, of any source, is undone first. `listing` is null for a pass that
   * lists its channels itself, and `service.listing` for a back-fill. Texts are numbered by the pass, from `nextText` on. It
   * comes before `known`: while nothing is staged, `prune` may drop what was read.
   */
  begin(input: {
    readonly source: number;
    readonly listing: number | null;
    readonly body: BodyRef;
  }): Promise<{ snapshot: number; nextText: number }>;
  /** The lasting numbers of guide channels by their keys, made where missing; in order. */
  channelIds(
    source: number,
    channels: readonly { readonly key: string; readonly guideId: string }[],
  ): Promise<number[]>;
  /** Lists channels, wanted or not; a channel listed again is replaced. */
  listChannels(snapshot: number, rows: readonly (GuideChannelFacts & { readonly channel: number })[]): Promise<void>;
  /** The buffers of these are handed over: they are gone afterwards. */
  texts(snapshot: number, texts: PackedTexts): Promise<void>;
  /** Adds airings. One that is in service already stays as it is. What is handed over here and below may be used again. */
  airings(snapshot: number, rows: PackedAirings): Promise<void>;
  /** Airings in service that are gone; their texts are not looked at. */
  removals(snapshot: number, rows: PackedAirings): Promise<void>;
  /** Takes back texts of this pass that cannot be read, and the airings that have them. */
  dropTexts(snapshot: number, texts: readonly number[]): Promise<void>;
  /**
   * Puts the snapshot in service in one step. `kept` are the guide channels whose programmes it read: they are kept from now
   * on, until `prune` is told otherwise.
   */
  publish(
    input: Ended & {
      readonly snapshot: number;
      readonly counts: GuideCounts;
      readonly kept: readonly number[];
      readonly manner: string;
    },
  ): Promise<void>;
  /** Undoes what was staged and keeps the body, to be accepted. */
  quarantine(
    input: Ended & { readonly snapshot: number; readonly reason: string; readonly counts: GuideCounts },
  ): Promise<void>;
  /** Undoes all of it. Of a snapshot that is not staged it does nothing. */
  abandon(snapshot: number): Promise<void>;
}

export interface GuideFeeds {
  /** Those that have been met so far, by source. */
  all(): Promise<FeedRow[]>;
  byId(source: number): Promise<FeedRow | null>;
  setState(source: number, state: FeedState, reason?: string | null): Promise<void>;
  /** When it is to be fetched next, epoch seconds; null is never. */
  plan(source: number, at: number | null): Promise<void>;
  /** What is in service was met again; what waited to be accepted waits no more. Validators replace the old ones where given. */
  confirm(
    source: number,
    validators?: { readonly etag: string | null; readonly lastModified: string | null },
  ): Promise<void>;
  /** Counts a failure and keeps its reason; resolves with how many there have been in a row. */
  fail(input: Ended & { readonly reason: string }): Promise<number>;
  /** The newest first. */
  refreshes(source: number, paging: Paging): Promise<Page<FeedRefresh>>;
  /** Names of bodies that are in service, can be accepted or are being read: all others may be removed. */
  bodies(): Promise<string[]>;
  /** Drops all that is known of a source; what is shown of it goes at once. */
  forget(source: number): Promise<void>;
}

/** A channel of a guide as it is listed. */
export type ListedGuideChannel = GuideChannelFacts & {
  readonly guideSource: number;
  readonly guideKey: string;
  /** The number that programmes are read by. */
  readonly guideChannel: number;
};

export type GuideChannelFilter = {
  /** Words that id or names contain. */
  readonly q?: string;
  readonly source?: number;
  /** Looked at last, such as for whether it is linked. */
  readonly accepts?: (channel: { readonly guideSource: number; readonly guideKey: string }) => boolean;
};

export interface GuideChannels {
  /** By source, then in the order in which they were met first. */
  search(filter: GuideChannelFilter, paging: Paging): Promise<Page<ListedGuideChannel>>;
  /** All of a source; read in parts, so that it may be left at any time. */
  facts(source: number): Iterable<ListedGuideChannel>;
  /** Numbers by key, of those that a source ever had. */
  ids(source: number, keys: readonly string[]): Map<string, number>;
  /** What numbers stand for; one that stands for nothing is absent. */
  named(numbers: readonly number[]): Map<number, { readonly guideSource: number; readonly guideKey: string }>;
  /** Those of a source whose programmes are kept. */
  kept(source: number): number[];
}

/** An airing that a search found. */
export type FoundAiring = {
  /** What `after` has to be for the airings behind this one. */
  readonly place: string;
  readonly guideChannel: number;
  readonly start: number;
  readonly stop: number | null;
  readonly title: string;
};

export interface GuideReading {
  readonly channels: GuideChannels;
  /** Airings in service of these guide channels of a source. For many, ask for some hundred at a time. */
  known(source: number, channels: readonly number[]): PackedAirings;
  /**
   * By guide channel, sorted by start: what is in service and overlaps [from, to), epoch seconds. Programmes without a stop
   * count as 24 h long; of those longer than 2 days only the first two are looked at. Without any, a channel is not in the map.
   */
  programmes(channels: readonly number[], from: number, to: number): Map<number, Programme[]>;
  /** The same, but each content is read when it is asked for first: within `read` only. For now and next of many channels. */
  airings(channels: readonly number[], from: number, to: number): Map<number, Programme[]>;
  /** Runs synchronous reads that all see the guide as it is now. */
  read<T>(work: () => T): T;
  /**
   * Airings in service that start in [from, to) and whose title contains all words of `q`: by title, then by start. It lets
   * others in every few milliseconds.
   */
  titles(q: string, from: number, to: number, paging: Paging): Promise<Page<FoundAiring>>;
  /** Counts every change of what the guide shows. */
  generation(): number;
}

/** What guides hold, in `guide.db`. It can be made again: a damaged one is moved away when it is opened. */
export interface GuideParts extends GuideReading {
  readonly stage: GuideStage;
  readonly feeds: GuideFeeds;
}

export interface GuideStore extends GuideParts {
  /** The data directory. */
  readonly dir: string;
  /** Undoes what a crash left half done. */
  recover(): Promise<void>;
  /**
   * Drops programmes that ended more than so many seconds before `now`, by guide channel, all of channels that are not in the
   * map, and what is out of service. Stops where a pass begins.
   */
  prune(keep: ReadonlyMap<number, number>, now: number): Promise<void>;
  /** A channel to the writer, to be handed to a worker that opens `attachGuideStore` with it. */
  connect(): MessagePort;
  /** Settles when everything asked before is written. May be called again. */
  close(): Promise<void>;
}
