import { WeirError } from '../lib/errors.js';
import type { Change } from '../model/change.js';
import type { By, Edited } from '../model/edit.js';
import type {
  ChannelGuide,
  GivenGuide,
  GuideLink,
  GuideReceiver,
  GuideSource,
  NewGuideSource,
  Placeholder,
} from '../model/guide.js';
import type { MatchCandidate, MatchChannel } from '../model/guide-match.js';
import type { Page, Paging } from '../model/page.js';
import type { Connection } from './connection.js';
import { createGuideChannelFacts } from './guide-channel-facts.js';
import { createGuideLinkReads } from './guide-link-reads.js';
import { createGuideReview } from './guide-review.js';
import { createGuideSourceReads } from './guide-source-reads.js';
import type { Writer } from './writer.js';

/** What a user changes of a guide source; what is absent stays. */
export type GuideSourcePatch = Partial<Omit<NewGuideSource, 'kind'>>;

/** Names a channel of a guide, as the guide writes its id. */
export type GuideRef = { readonly guideSource: number; readonly guideId: string };

/** A link that a user wishes; `names` are those that the guide has for it now, by which it is found again. */
export type WishedLink = GuideRef & { readonly shift?: number; readonly names?: readonly string[] };

/** What a user decides about a channel's guide; what is absent stays. */
export type ChannelGuidePatch = {
  readonly mode?: ChannelGuide['mode'];
  readonly placeholder?: Placeholder | null;
  /** The user's own links, the best first; null gives them up and is automatic again. */
  readonly links?: readonly WishedLink[] | null;
};

/** A link that the matcher found. Its rank follows from the order of the guide sources. */
export type NewAutoLink = GuideRef & {
  readonly channel: number;
  readonly score: number;
  readonly reasons: readonly string[];
  readonly names: readonly string[];
};

/** A channel that the matcher is not sure of; `candidates` the best first, of any guide source. */
export type ReviewRow = {
  readonly channel: number;
  readonly why: 'unsure' | 'ambiguous' | 'vetoed';
  readonly candidates: readonly MatchCandidate[];
};
export type ReviewItem = ReviewRow & { readonly name: string; readonly since: number };

/** What one run of the matcher found for some channels. Links of users are touched by `relink` and `seen` alone. */
export type Matches = {
  /** Made, or changed where there is one of that guide channel; a channel without automatic mode is left out. */
  readonly auto: readonly NewAutoLink[];
  /** Ids of automatic links that do not hold any more. */
  readonly drop: readonly number[];
  /** Links whose guide gave the same channel another id. */
  readonly relink: readonly {
    readonly id: number;
    readonly guideId: string;
    readonly names?: readonly string[];
    readonly reasons?: readonly string[];
  }[];
  /** Links that the guide still has, with the names that it has for them now. */
  readonly seen?: readonly { readonly id: number; readonly names: readonly string[] }[];
  readonly review: readonly ReviewRow[];
  /** Channels that need no review any more. */
  readonly clear: readonly number[];
};

/** What a timeline has to know of a channel. */
export type ShownReceiver = Pick<GuideReceiver, 'channel' | 'name' | 'guideShift'>;

/** What the household says of guides, in `weir.db`. What guides hold is in `guide.db`. */
export interface GuideHouse {
  /** In their order, the first speaks first; removed ones left out. Locations are whole, credentials included. */
  sources(): Promise<GuideSource[]>;
  source(id: number): Promise<GuideSource | null>;
  /**
   * Says which guides flag and configuration give, in order. Those given before and not now become missing, unless a list
   * names them.
   */
  give(guides: readonly GivenGuide[]): Promise<void>;
  /**
   * Says which guides a list names, by absolute addresses. Those that nobody names any more become missing. True when a
   * guide came, went or came back. One that the user removed stays removed.
   */
  nameByList(source: number, urls: readonly string[]): Promise<boolean>;
  /**
   * The guides that each list in service names, absolute and each once; of lists that name some in the database and none now, and of
   * lists out of service, none. What `nameByList` wants to be told.
   */
  guideUrls(): { readonly source: number; readonly urls: readonly string[] }[];
  /**
   * Adds a guide. One that was removed or is missing comes back, with its links.
   * @throws WeirError `conflict` when there is one of that location.
   */
  add(source: NewGuideSource, by: By): Promise<GuideSource>;
  /** @throws WeirError `conflict` for one that flag or configuration give; `precondition-failed` for another version. */
  update(id: number, patch: GuideSourcePatch, by: By): Promise<GuideSource>;
  /** Its links stay, unseen, for when it comes back. */
  remove(id: number, by: By): Promise<void>;

  /** What is published, or a line-up's channels, in the order of the playlist. @throws WeirError `not-found` for a line-up */
  receivers(lineup: string | null): GuideReceiver[];
  /** The published ones of some channels, in the order of their ids. */
  receiversOf(channels: readonly number[]): ShownReceiver[];
  /** The next published channels behind an id, so many at most, in the order of their ids. */
  receiversBehind(channel: number, limit: number): ShownReceiver[];
  /**
   * The links of all channels that may have a guide, the best of each channel first, ranks counted from 0; those to sources
   * that are removed left out.
   */
  links(): Iterable<GuideLink & { readonly guideKey: string }>;
  /** The same of some channels; every one of them has an item. */
  linksOf(channels: readonly number[]): Map<number, ChannelGuide>;
  /** With what a change of it is checked against; null when there is no such channel. */
  guideOf(channel: number): (ChannelGuide & { readonly etag: string }) | null;
  /** Filtered, by channel and rank, with the names of the channels. */
  pageOfLinks(filter: LinkFilter, paging: Paging): Promise<Page<GuideLink & { readonly name: string }>>;
  /** How many channels each guide source speaks for. */
  linkedBySource(): Map<number, number>;
  /** The channels that are linked to channels of a guide, by their folded ids; what is linked to none is absent. */
  channelsLinkedTo(guideSource: number, guideKeys: readonly string[]): Map<string, number[]>;

  /** Whether any channel is linked to a channel of a guide. */
  isLinked(guideSource: number, guideKey: string): boolean;

  /** Shown channels that are linked automatically, as parts of some thousands. */
  matchChannels(): AsyncIterable<readonly MatchChannel[]>;
  rejections(): Iterable<{ readonly channel: number; readonly guideSource: number; readonly guideKey: string }>;
  /** Writes what the matcher found, of 500 channels at most. True when links changed: then lists and guides are others. */
  writeMatches(matches: Matches): Promise<boolean>;

  /**
   * @throws WeirError `not-found` for a channel or guide source that is not there; `conflict` for a merged channel; `invalid`
   * when a guide channel is named twice, or two of one guide source.
   */
  setChannelGuide(channel: number, patch: ChannelGuidePatch, by: By): Promise<Edited>;
  /** Links a channel to one of its candidates, for good. @throws WeirError `not-found`; `invalid` when it is no candidate. */
  acceptReview(channel: number, candidate: GuideRef, by: By): Promise<Edited>;
  /** Says no to one candidate, to those of one guide source, or to all; none of them is shown or linked again. */
  rejectReview(channel: number, which: Partial<GuideRef>, by: By): Promise<Edited>;
  /** By channel. */
  review(paging: Paging): Promise<Page<ReviewItem>>;
  reviewOf(channel: number): Promise<ReviewItem | null>;
  /** Tells each change that a user made. Returns what ends it. */
  on(listener: (change: Change) => void): () => void;
}

export type LinkFilter = {
  readonly source?: number | undefined;
  readonly origin?: GuideLink['origin'] | undefined;
};

export function createGuideHouse(connection: Connection, writer: Writer): GuideHouse {
  const sources = createGuideSourceReads(connection);
  const listeners = new Set<(change: Change) => void>();
  const told = <E extends { readonly change: Change | null }>(edited: E): E => {
    if (edited.change !== null) for (const listener of listeners) listener(edited.change);
    return edited;
  };
  const required = async (id: number) => {
    const found = await sources.source(id);
    if (found === null) throw new WeirError('not-found', `There is no guide source ${id}.`);
    return found;
  };
  return {
    ...sources,
    ...createGuideChannelFacts(connection),
    ...createGuideLinkReads(connection),
    ...createGuideReview(connection),
    give: (guides) => writer.call('giveGuides', { guides }),
    nameByList: (source, urls) => writer.call('nameGuides', { source, urls }),
    add: async (source, by) => await required(told(await writer.call('addGuideSource', { source, by })).made),
    async update(id, patch, by) {
      told(await writer.call('updateGuideSource', { id, patch, by }));
      return await required(id);
    },
    async remove(id, by) {
      told(await writer.call('removeGuideSource', { id, by }));
    },
    writeMatches: (matches) => writer.call('writeMatches', matches),
    setChannelGuide: async (channel, patch, by) => told(await writer.call('setChannelGuide', { channel, patch, by })),
    acceptReview: async (channel, candidate, by) => told(await writer.call('acceptReview', { channel, candidate, by })),
    rejectReview: async (channel, which, by) => told(await writer.call('rejectReview', { channel, which, by })),
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
