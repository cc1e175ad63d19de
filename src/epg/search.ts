import { linkKey } from '../model/guide.js';
import type { Page, Paging } from '../model/page.js';
import type { TimelineItem } from '../model/programme.js';
import type { FoundAiring } from '../store/guide/contract.js';
import type { ReadParts } from './reads.js';

type Wanted = {
  readonly q: string;
  readonly from: number;
  readonly to: number;
  readonly timelines: (
    channels: readonly number[],
    from: number,
    to: number,
  ) => Promise<ReadonlyMap<number, readonly TimelineItem[]>>;
};
type Shown = { readonly channel: number; readonly item: TimelineItem };
type Found = Shown & { readonly airing: FoundAiring };

/** Seconds that shifts may come to: of the guide, the link and the channel. */
const margin = 3 * 48 * 3600;
/** Seconds of a programme that does not say when it stops. */
const longest = 86_400;
/** Pages of titles that are gone through for one page: most airings that are found are shown by some channel. */
const mostPages = 10;

/**
 * Finds airings by their titles, and of these what channels show: an airing that another guide goes before is none. One that
 * several channels show is as many items, by the ids of the channels; a page may end between two of them.
 */
export async function searchTimelines(parts: ReadParts, wanted: Wanted, paging: Paging): Promise<Page<Shown>> {
  const { q, from, to } = wanted;
  const { limit } = paging;
  const begun = begunAt(paging.after);
  let after = begun === null ? paging.after : begun.after;
  for (let page = 0; ; page += 1) {
    const { items, next } = await parts.guide.titles(q, from - margin, to + margin, { limit, after });
    const shown = behind(page === 0 ? begun : null, await shownOf(parts, wanted, items));
    const last = shown.length > limit ? shown[limit - 1] : undefined;
    if (last !== undefined) return { items: shown.slice(0, limit).map(bare), next: amid(last, items, after) };
    if (shown.length > 0 || next === null || page === mostPages) return { items: shown.map(bare), next };
    after = next;
  }
}

/** The airing that a page ended amid: what titles are gone through behind, which it is, and the channel that came last. */
type Begun = {
  readonly after: string | null;
  readonly guideChannel: number;
  readonly start: number;
  readonly channel: number;
};

function begunAt(after: string | null): Begun | null {
  const [, titles, ...rest] = /^([\w-]*)~(\d{1,15})~(\d{1,15})~(\d{1,15})$/.exec(after ?? '') ?? [];
  if (titles === undefined) return null;
  const [guideChannel = 0, start = 0, channel = 0] = rest.map(Number);
  return { after: titles === '' ? null : titles, guideChannel, start, channel };
}

function amid({ airing, channel }: Found, items: readonly FoundAiring[], after: string | null): string {
  const before = items[items.indexOf(airing) - 1];
  return `${before?.place ?? after ?? ''}~${airing.guideChannel}~${airing.start}~${channel}`;
}

function behind(begun: Begun | null, shown: readonly Found[]): readonly Found[] {
  if (begun === null) return shown;
  const isSame = ({ guideChannel, start }: FoundAiring) => guideChannel === begun.guideChannel && start === begun.start;
  return shown.filter(({ airing, channel }) => channel > begun.channel || !isSame(airing));
}

function bare({ channel, item }: Found): Shown {
  return { channel, item };
}

async function shownOf(parts: ReadParts, wanted: Wanted, found: readonly FoundAiring[]): Promise<Found[]> {
  const links = await linksTo(parts, found);
  const channels = [...new Set([...links.values()].flat().map(({ channel }) => channel))];
  const { from, to } = wanted;
  const shown = await wanted.timelines(channels, from, to);
  return found.flatMap((airing) => {
    const { guideChannel, title, start, stop } = airing;
    return (links.get(guideChannel) ?? []).flatMap((link): Found[] => {
      const [begin, end] = [start + link.shift, (stop ?? start + longest) + link.shift];
      const item = (shown.get(link.channel) ?? []).find((one) => {
        const isTitle = one.content.titles[0]?.text === title && one.from?.guideSource === link.guideSource;
        return isTitle && one.start >= begin && one.start < end && one.from.guideId === link.guideId;
      });
      return item === undefined || item.start < from ? [] : [{ channel: link.channel, item, airing }];
    });
  });
}

/** Of a channel to a guide channel, with all seconds that are added to its times. */
type Link = {
  readonly channel: number;
  readonly guideSource: number;
  readonly guideId: string;
  readonly shift: number;
};

/** The links to guide channels, by their numbers. */
async function linksTo(
  { house, guide }: ReadParts,
  found: readonly FoundAiring[],
): Promise<Map<number, readonly Link[]>> {
  const shifts = new Map((await house.sources()).map(({ id, shift }) => [id, shift]));
  const names = guide.channels.named(found.map(({ guideChannel }) => guideChannel));
  const links = new Map<number, readonly Link[]>();
  for (const [number, { guideSource, guideKey: key }] of names) {
    const channels = house.channelsLinkedTo(guideSource, [key]).get(key) ?? [];
    const guides = house.linksOf(channels);
    const own = house.receiversOf(channels).flatMap(({ channel, guideShift }): Link[] => {
      const link = guides
        .get(channel)
        ?.links.find((one) => one.guideSource === guideSource && linkKey(one.guideId) === key);
      if (link === undefined) return [];
      const shift = (shifts.get(guideSource) ?? 0) + link.shift + (guideShift ?? 0);
      return [{ channel, guideSource, guideId: link.guideId, shift }];
    });
    links.set(
      number,
      own.sort((one, other) => one.channel - other.channel),
    );
  }
  return links;
}
