import { setImmediate as nextTurn } from 'node:timers/promises';
import { inChunks } from '../lib/chunks.js';
import type { Coverage } from '../model/guide.js';
import type { Page, Paging } from '../model/page.js';
import type { TimelineItem } from '../model/programme.js';
import type { GuideStore } from '../store/guide/contract.js';
import type { GuideHouse, ShownReceiver } from '../store/guide-house.js';
import { pageOfCoverage } from './coverage.js';
import { searchTimelines } from './search.js';
import { readTimelines, type TimelineChannel } from './timeline/read.js';

export type ReadParts = {
  readonly house: GuideHouse;
  readonly guide: GuideStore;
  /** Seconds since the epoch. */
  readonly now: () => number;
};

/** What a channel shows now, and what comes after that. */
export type NowNext = {
  readonly channel: number;
  readonly now: TimelineItem | null;
  readonly next: readonly TimelineItem[];
};

/** What channels show, as all that their guides say of them comes to. Instants are epoch seconds. */
export interface GuideReads {
  /** Programmes that overlap [from, to), sorted; every channel asked for has an item. */
  timelines(channels: readonly number[], from: number, to: number): Promise<Map<number, readonly TimelineItem[]>>;
  /** What is on at an instant, and the next `count`, of channels in the order asked for. */
  now(channels: readonly number[], at: number, count: number): Promise<readonly NowNext[]>;
  /** Programmes whose titles hold the words, as channels show them. */
  search(
    q: string,
    from: number,
    to: number,
    paging: Paging,
  ): Promise<Page<{ readonly channel: number; readonly item: TimelineItem }>>;
  /** How far guides reach, by channel. A page may hold fewer than asked for, or none, though more follow. */
  coverage(filter: { readonly state?: Coverage['state'] | undefined }, paging: Paging): Promise<Page<Coverage>>;
}

/** Channels that are read before others are let in. */
const atOnce = 20;
const hour = 3600;
/** Seconds within which what comes next is looked for, at first and then. */
const soon = 6 * hour;
const later = 72 * hour;

export function createGuideReads(parts: ReadParts): GuideReads {
  const timelines = (channels: readonly number[], from: number, to: number) => timelinesOf(parts, channels, from, to);
  return {
    timelines,
    async now(channels, at, count) {
      const found = await timelines(channels, at, at + soon);
      const isShort = (channel: number) => (found.get(channel) ?? []).filter(({ start }) => start > at).length < count;
      const more = await timelines(channels.filter(isShort), at, at + later);
      return channels.map((channel) => {
        const items = more.get(channel) ?? found.get(channel) ?? [];
        const now = items.find(({ start, stop }) => start <= at && stop > at) ?? null;
        return { channel, now, next: items.filter(({ start }) => start > at).slice(0, count) };
      });
    },
    search: (q, from, to, paging) => searchTimelines(parts, { q, from, to, timelines }, paging),
    coverage: ({ state }, paging) => pageOfCoverage(parts, { state, timelines }, paging),
  };
}

/** Some channels at a time, so that nobody waits for all of them. */
async function timelinesOf(
  { house, guide }: ReadParts,
  channels: readonly number[],
  from: number,
  to: number,
): Promise<Map<number, readonly TimelineItem[]>> {
  const shown = new Map<number, readonly TimelineItem[]>(channels.map((channel) => [channel, []]));
  const shifts = new Map((await house.sources()).map(({ id, shift }) => [id, shift]));
  for (const some of inChunks(channels, atOnce)) {
    const wanted = timelineChannels(house, house.receiversOf(some));
    const read = () => readTimelines({ guide, shifts }, wanted, { from, to }).forEach(keep);
    guide.read(read);
    await nextTurn();
  }
  return shown;

  /** Contents are read of what is shown, while the database is as it was. */
  function keep(items: readonly TimelineItem[], channel: number): void {
    shown.set(
      channel,
      items.map(({ start, stop, content, from: said }) => ({ start, stop, content, from: said })),
    );
  }
}

/** A channel that is to have no guide has no placeholder either. */
function timelineChannels(house: GuideHouse, receivers: readonly ShownReceiver[]): TimelineChannel[] {
  const guides = house.linksOf(receivers.map(({ channel }) => channel));
  return receivers.map((receiver) => {
    const { mode = 'auto', links = [], placeholder = null } = guides.get(receiver.channel) ?? {};
    return { ...receiver, guide: mode === 'none' ? { links: [], placeholder: null } : { links, placeholder } };
  });
}
