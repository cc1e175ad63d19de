import type { ChannelGuide, GuideReceiver } from '../model/guide.js';
import { openForReading } from './connection.js';
import { createGuideChannelFacts } from './guide-channel-facts.js';
import { publishedGuideIds } from './guide-ids.js';
import { createGuideLinkReads } from './guide-link-reads.js';
import { typed } from './typed.js';

/** A channel that is published, with its id in lists and in the guide, and what speaks for it. */
export type GuidedChannel = GuideReceiver & { readonly id: string; readonly guide: ChannelGuide };

/** What is written into a guide, as it stands at one instant. */
export type GuidedChannels = {
  /** In the order of the playlist. */
  readonly channels: readonly GuidedChannel[];
  /** Seconds that are added to the times of each guide source. */
  readonly shifts: ReadonlyMap<number, number>;
};

/** What the household wants in a guide, for a thread that does nothing else than write one. */
export interface GuideOut {
  /**
   * What is published, or a line-up's channels. A channel has one id, whatever line-ups it is in.
   * @throws WeirError `not-found` when there is no such line-up.
   */
  read(lineup: string | null): GuidedChannels;
  close(): void;
}

/** Opens the database by itself. */
export function openGuideOut(dir: string): GuideOut {
  const connection = typed(openForReading(dir));
  const { raw } = connection;
  const { receivers } = createGuideChannelFacts(connection);
  const { linksOf } = createGuideLinkReads(connection);
  const read = raw.transaction((lineup: string | null): GuidedChannels => {
    const all = receivers(null);
    const ids = publishedGuideIds(raw, all);
    const wanted = lineup === null ? all : receivers(lineup);
    const guides = linksOf(wanted.map(({ channel }) => channel));
    const shifts = raw.prepare('SELECT id, shift FROM guide_source WHERE removed = 0').raw().all() as [
      number,
      number,
    ][];
    return { channels: wanted.map((receiver) => guided(receiver, ids, guides)), shifts: new Map(shifts) };
  });
  return { read, close: connection.close };
}

/** A channel that is to have no guide has no placeholder either. */
function guided(
  receiver: GuideReceiver,
  ids: ReadonlyMap<number, string>,
  guides: ReadonlyMap<number, ChannelGuide>,
): GuidedChannel {
  const { channel, key } = receiver;
  const guide = guides.get(channel) ?? { channel, mode: 'auto', placeholder: null, links: [] };
  const id = ids.get(channel) ?? key;
  return { ...receiver, id, guide: guide.mode === 'none' ? { ...guide, placeholder: null, links: [] } : guide };
}
