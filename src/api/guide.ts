import type { Job } from '../model/change.js';
import type { By, Edited } from '../model/edit.js';
import type {
  ChannelGuide,
  Coverage,
  GuideChannelFacts,
  GuideCounts,
  GuideLink,
  GuideSource,
  GuideSourceStatus,
  NewGuideSource,
  Placeholder,
} from '../model/guide.js';
import type { MatchCandidate } from '../model/guide-match.js';
import type { Page, Paging } from '../model/page.js';
import type { TimelineItem } from '../model/programme.js';

/** A channel of a guide, as the guide writes its id. */
type Ref = { readonly guideSource: number; readonly guideId: string };

/** What the household says of guides: as it is stored, with all that is secret in it. */
export interface GuideHouse {
  sources(): Promise<GuideSource[]>;
  source(id: number): Promise<GuideSource | null>;
  /** @throws WeirError `conflict` when there is one of that location. */
  add(source: NewGuideSource, by: By): Promise<GuideSource>;
  /** @throws WeirError `not-found`; `conflict` for one that flag or configuration give; `precondition-failed`. */
  update(id: number, patch: Partial<Omit<NewGuideSource, 'kind'>>, by: By): Promise<GuideSource>;
  remove(id: number, by: By): Promise<void>;
  /** How many channels each guide source speaks for. */
  linkedBySource(): Map<number, number>;
  /** The channels that are linked to guide channels, by folded id. */
  channelsLinkedTo(guideSource: number, guideKeys: readonly string[]): Map<string, number[]>;
  isLinked(guideSource: number, guideKey: string): boolean;
  /** Null when there is no such channel. */
  guideOf(channel: number): (ChannelGuide & { readonly etag: string }) | null;
  pageOfLinks(
    filter: { readonly source?: number | undefined; readonly origin?: GuideLink['origin'] | undefined },
    paging: Paging,
  ): Promise<Page<GuideLink & { readonly name: string }>>;
  setChannelGuide(
    channel: number,
    patch: {
      readonly mode?: ChannelGuide['mode'];
      readonly placeholder?: Placeholder | null;
      readonly links?: readonly (Ref & { readonly shift?: number; readonly names?: readonly string[] })[] | null;
    },
    by: By,
  ): Promise<Edited>;
  review(paging: Paging): Promise<Page<ReviewItem>>;
  acceptReview(channel: number, candidate: Ref, by: By): Promise<Edited>;
  rejectReview(channel: number, which: Partial<Ref>, by: By): Promise<Edited>;
}

export type ReviewItem = {
  readonly channel: number;
  readonly name: string;
  readonly why: 'unsure' | 'ambiguous' | 'vetoed';
  readonly since: number;
  /** The best first. */
  readonly candidates: readonly MatchCandidate[];
};

/** How a guide source stands: what can be lost and is made again. Instants are epoch seconds. */
export type Feed = Pick<
  GuideSourceStatus,
  'reason' | 'failures' | 'waiting' | 'nextRefreshAt' | 'refreshedAt' | 'publishedAt'
> & {
  readonly source: number;
  readonly state: Exclude<GuideSourceStatus['state'], 'missing'>;
  /** What is in service; null before the first. */
  readonly service: { readonly counts: GuideCounts } | null;
};

export const guideCauses = ['start', 'schedule', 'file', 'user', 'accept', 'links'] as const;
export type GuideRefresh = {
  readonly id: number;
  readonly cause: (typeof guideCauses)[number];
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: 'published' | 'quarantined' | 'failed';
  readonly reason: string | null;
  readonly counts: Partial<GuideCounts>;
};

export interface GuideFeeds {
  /** One that is absent was never refreshed. */
  all(): Promise<readonly Feed[]>;
  byId(source: number): Promise<Feed | null>;
  /** The newest first. */
  refreshes(source: number, paging: Paging): Promise<Page<GuideRefresh>>;
}

export type ListedGuideChannel = GuideChannelFacts & { readonly guideSource: number; readonly guideKey: string };

/** What guides hold, linked or not. */
export interface GuideChannels {
  search(
    filter: {
      readonly q?: string;
      readonly source?: number;
      readonly accepts?: (channel: { readonly guideSource: number; readonly guideKey: string }) => boolean;
    },
    paging: Paging,
  ): Promise<Page<ListedGuideChannel>>;
}

/** What can be lost, and is made again. */
export interface GuideStore {
  readonly feeds: GuideFeeds;
  readonly channels: GuideChannels;
}

/** Work on guides that takes a while: it goes on as a job. */
export interface Guides {
  refresh(source: number): Promise<Job>;
  /** Puts a quarantined body in service, guards off. */
  accept(source: number, snapshot: number): Promise<Job>;
  /** Links channels to guides anew. */
  match(): Promise<Job>;
  /** Guide sources were added, changed or removed. */
  sourcesChanged(): Promise<void>;
  /** Links of channels changed. */
  linksChanged(): void;
}

/** What channels show. Instants are epoch seconds. */
export interface GuideReads {
  /** Programmes that overlap [from, to), sorted; every channel asked for has an item. */
  timelines(channels: readonly number[], from: number, to: number): Promise<Map<number, readonly TimelineItem[]>>;
  /** What is on at an instant, and the next `count`, of channels in the order asked for. */
  now(
    channels: readonly number[],
    at: number,
    count: number,
  ): Promise<
    readonly { readonly channel: number; readonly now: TimelineItem | null; readonly next: readonly TimelineItem[] }[]
  >;
  /** Programmes whose titles hold the words, as the merged timeline shows them. */
  search(
    q: string,
    from: number,
    to: number,
    paging: Paging,
  ): Promise<Page<{ readonly channel: number; readonly item: TimelineItem }>>;
  coverage(filter: { readonly state?: Coverage['state'] | undefined }, paging: Paging): Promise<Page<Coverage>>;
}
