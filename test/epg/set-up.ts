import { join } from 'node:path';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { createGuides, type Guides } from '../../src/epg/guides.js';
import type { Log } from '../../src/lib/log.js';
import type { Job } from '../../src/model/change.js';
import type { CatalogueEvent } from '../../src/model/event.js';
import type { GivenGuide } from '../../src/model/guide.js';
import type { FeedRow, GuideStore } from '../../src/store/guide/contract.js';
import { openGuideStore } from '../../src/store/guide/open.js';
import { openStore, type Store } from '../../src/store/open.js';
import { by, type Line, publish } from '../store/fixture.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';

type Owner = Pick<TestContext, 'after'>;
type LogLine = { readonly level: number; readonly msg: string; readonly guide?: string; readonly reason?: string };

export const hour = 3600;
export const day = 86_400;
/** The start of this hour, epoch seconds: guides are judged by the clock. */
export const thisHour = Math.floor(Date.now() / 1000 / hour) * hour;

export type Home = {
  readonly dir: string;
  readonly store: Store;
  readonly guideStore: GuideStore;
  readonly guides: Guides;
  readonly lines: LogLine[];
  readonly events: CatalogueEvent[];
  /** Channels of the list, in its order. */
  readonly channels: readonly number[];
  feed(source?: number): Promise<FeedRow | null>;
  /** `title@start` of what a guide channel has in service, hours counted from this one. */
  shown(guideId: string, source?: number): string[];
  /** Everything that is in service of a guide, and how it stands, to be compared. */
  whole(source?: number): unknown;
  /** Links channels, by their place in the list, to ids of a guide. */
  link(links: Readonly<Record<number, string>>, source?: number): Promise<void>;
  /** Waits for a job to end. */
  ended(job: Job): Promise<Job>;
  stop(): Promise<void>;
};

type Options = {
  readonly dir?: string;
  readonly guides?: readonly (string | GivenGuide)[];
  readonly lines?: readonly Line[];
  readonly header?: readonly (readonly [string, string])[];
  /** Ids of the first guide, for the channels in their order. */
  readonly linked?: readonly string[];
  readonly fromLists?: boolean;
  readonly ownPorts?: readonly number[];
  /** False leaves the start to the test. */
  readonly start?: boolean;
};

/** A list of channels and guides in a directory of their own, started. */
export async function home(t: Owner, options: Options = {}): Promise<Home> {
  const { dir = tempDir(t), guides: given = [], linked = [], fromLists = true, ownPorts = [] } = options;
  const lines: LogLine[] = [];
  const events: CatalogueEvent[] = [];
  const log: Log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line) as LogLine) });
  const store = await openStore({ dir, log });
  const guideStore = await openGuideStore({ dir, log });
  await store.jobs.recover();
  await guideStore.recover();
  const list = options.lines ?? ['A', 'B', 'C', 'D'].map((name) => ({ name }));
  const { channels } = await publish(store, '/list.m3u', list, options.header);
  const guideList = given.map((one) => (typeof one === 'string' ? { location: one } : one));
  const match = () => Promise.resolve({ changed: false, result: null });
  const guides = createGuides({ store, guideStore, log, guides: guideList, fromLists, ownPorts, match });
  guides.on((event) => events.push(event));
  const stop = async () => {
    await guides.stop();
    await guideStore.close();
    await store.close();
  };
  t.after(stop);
  const link = async (links: Readonly<Record<number, string>>, guideSource = 1) => {
    for (const [place, guideId] of Object.entries(links))
      await store.guideHouse.setChannelGuide(channels[Number(place)] ?? 0, { links: [{ guideSource, guideId }] }, by);
  };
  if (linked.length > 0) {
    await store.guideHouse.give(guideList);
    await link(Object.fromEntries(linked.map((id, place) => [place, id])));
  }
  if (options.start !== false) {
    await guides.start();
    // A start waits 5 s for a server, and a machine may have other work.
    const isSettled = ({ state }: FeedRow) => ['published', 'quarantined', 'failed'].includes(state);
    const settled = async () => (await guideStore.feeds.all()).every(isSettled);
    await until('the first refreshes to end', settled, { within: 60_000 });
  }
  const rows = (source: number) => {
    const channelIds = [...guideStore.channels.facts(source)].map(({ guideChannel }) => guideChannel);
    return [...guideStore.programmes(channelIds, 0, 2 ** 32)];
  };
  return {
    ...{ dir, store, guideStore, guides, lines, events, channels, link, stop },
    feed: (source = 1) => guideStore.feeds.byId(source),
    shown(guideId, source = 1) {
      const channel = guideStore.channels.ids(source, [guideId]).get(guideId) ?? 0;
      const programmes = guideStore.programmes([channel], 0, 2 ** 32).get(channel) ?? [];
      return programmes.map(({ start, content }) => `${content.titles[0]?.text}@${(start - thisHour) / hour}`);
    },
    whole: (source = 1) => [rows(source), [...guideStore.channels.facts(source)], guideStore.generation()],
    ended: (job) =>
      until(
        'the job to end',
        async () => {
          const now = await store.jobs.byId(job.id);
          return now?.state === 'done' || now?.state === 'failed' ? now : null;
        },
        { within: 30_000 },
      ),
  };
}

/** Programmes of a channel: title, start, and hours that it takes, counted from this hour; or what is written as it is. */
export type Written = readonly [title: string, start: number, hours?: number] | string;

/** An XMLTV guide. */
export function xmltv(channels: Readonly<Record<string, readonly Written[]>>, tail = '</tv>\n'): string {
  const ids = Object.keys(channels);
  const listed = ids.map((id) => `<channel id="${id}"><display-name>${id} TV</display-name></channel>\n`);
  const programmes = Object.entries(channels).flatMap(([id, all]) => all.map((one) => programme(id, one)));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<tv>\n${listed.join('')}${programmes.join('')}${tail}`;
}

function programme(id: string, written: Written): string {
  if (typeof written === 'string') return written;
  const [title, start, hours = 1] = written;
  const from = time(thisHour + start * hour);
  const to = time(thisHour + (start + hours) * hour);
  return `<programme start="${from}" stop="${to}" channel="${id}"><title>${title}</title></programme>\n`;
}

/** As most guides write it. */
export function time(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().replace(/[-:T]|\.\d+Z/g, '')} +0000`;
}

/** A day and a half of programmes, an hour each. */
export function evenly(name: string, hours = 36): Written[] {
  return Array.from({ length: hours }, (_, n): Written => [`${name} ${n}`, n]);
}

/** Rows of guide.db as it stands. */
export function look<Row>(dir: string, sql: string): Row[] {
  const raw = new Database(join(dir, 'guide.db'), { readonly: true });
  try {
    return raw.prepare(sql).all() as Row[];
  } finally {
    raw.close();
  }
}
