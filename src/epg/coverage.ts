import type { Coverage } from '../model/guide.js';
import type { Page, Paging } from '../model/page.js';
import type { TimelineItem } from '../model/programme.js';
import type { ShownReceiver } from '../store/guide-house.js';
import { decodeId, encodeCursor } from '../store/paging.js';
import type { ReadParts } from './reads.js';

type Wanted = {
  readonly state: Coverage['state'] | undefined;
  readonly timelines: (
    channels: readonly number[],
    from: number,
    to: number,
  ) => Promise<ReadonlyMap<number, readonly TimelineItem[]>>;
};

const day = 86_400;
const week = 7 * day;
/** Channels that are looked at for one page. */
const lookedAt = 500;
/** Share of the next 24 hours below which a channel counts as thin. */
const enough = 0.9;

/** How far guides reach, by channel. Placeholders do not count. */
export async function pageOfCoverage(
  parts: ReadParts,
  { state, timelines }: Wanted,
  { after, limit }: Paging,
): Promise<Page<Coverage>> {
  const { house } = parts;
  const found: Coverage[] = [];
  let last = decodeId(after) ?? 0;
  for (let looked = 0; looked < lookedAt && found.length < limit; ) {
    const some = house.receiversBehind(last, Math.min(limit - found.length, lookedAt - looked));
    if (some.length === 0) return { items: found, next: null };
    const all = await coverageOf(parts, some, timelines);
    found.push(...all.filter((one) => state === undefined || one.state === state));
    looked += some.length;
    last = some.at(-1)?.channel ?? last;
  }
  const isEnd = house.receiversBehind(last, 1).length === 0;
  return { items: found, next: isEnd ? null : encodeCursor([last]) };
}

async function coverageOf(
  { house, guide, now }: ReadParts,
  channels: readonly ShownReceiver[],
  timelines: Wanted['timelines'],
): Promise<Coverage[]> {
  const at = now();
  const ids = channels.map(({ channel }) => channel);
  const published = new Map((await guide.feeds.all()).map(({ source, publishedAt }) => [source, publishedAt]));
  const shown = await timelines(ids, at, at + week);
  const guides = house.linksOf(ids);
  return channels.map(({ channel, name }) => {
    const { mode = 'auto', links = [] } = guides.get(channel) ?? {};
    const refreshed = links.map(({ guideSource }) => published.get(guideSource) ?? 0);
    const items = (shown.get(channel) ?? []).filter(({ from }) => from !== null);
    const one = { channel, name, links: links.length, ...reachOf(items, at) };
    return { ...one, refreshedAt: Math.max(0, ...refreshed) || null, state: stateOf(one, mode, at) };
  });
}

type Reach = Pick<Coverage, 'day' | 'week' | 'until'>;

function reachOf(items: readonly TimelineItem[], at: number): Reach {
  const share = (seconds: number) => {
    const parts = items.map(({ start, stop }) => Math.max(0, Math.min(stop, at + seconds) - Math.max(start, at)));
    return Math.min(1, Math.round((1000 * parts.reduce((sum, part) => sum + part, 0)) / seconds) / 1000);
  };
  return { day: share(day), week: share(week), until: items.at(-1)?.stop ?? null };
}

function stateOf(
  { links, day: covered, until }: Reach & { links: number },
  mode: string,
  at: number,
): Coverage['state'] {
  if (mode === 'none') return 'none';
  if (links === 0) return 'unlinked';
  if (until === null) return 'empty';
  if (until < at + day) return 'ending';
  return covered < enough ? 'thin' : 'covered';
}
