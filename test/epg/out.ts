import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createGuideFiles, type GuideFiles, type GuideRequest } from '../../src/epg/publish.js';
import { openLog } from '../../src/lib/log.js';
import type { GuideStore } from '../../src/store/guide/contract.js';
import { openGuideStore } from '../../src/store/guide/open.js';
import type { Store } from '../../src/store/open.js';
import { by, type Line, publish as publishList, setUp as setUpStore } from '../store/fixture.js';
import { publish as publishGuide, type Said } from '../store/guide/fixture.js';

/** 2024-01-02 12:00 UTC: the moment of the tests. */
export const noon = Date.UTC(2024, 0, 2, 12) / 1000;
export const whole: GuideRequest = { lineup: null, days: null, past: null, profile: 'generic', gzip: false };

/** A house with a list and as many guide sources as are said, `a` being the first; channels are linked by hand. */
export class GuideHouseholder {
  readonly store: Store;
  readonly guide: GuideStore;
  readonly files: GuideFiles;
  /** Milliseconds since the epoch. */
  time = noon * 1000;

  constructor(store: Store, guide: GuideStore, publicUrl: string | null = null) {
    this.store = store;
    this.guide = guide;
    this.files = createGuideFiles({ store, guide, publicUrl, log: openLog('error'), now: () => this.time });
  }

  /** Resolves with the ids of the channels, in the order of the list. */
  async list(lines: readonly Line[]): Promise<readonly number[]> {
    return (await publishList(this.store, '/lists/a.m3u', lines)).channels;
  }

  /** Adds a guide source. Resolves with its id. */
  async source(location: string, shift = 0): Promise<number> {
    return (await this.store.guideHouse.add({ kind: 'file', location, shift }, by)).id;
  }

  async says(source: number, said: readonly Said[]): Promise<void> {
    await publishGuide(this.guide, source, said);
  }

  async link(channel: number, ...links: readonly (readonly [source: number, guideId: string, shift?: number])[]) {
    const wished = links.map(([guideSource, guideId, shift = 0]) => ({ guideSource, guideId, shift }));
    await this.store.guideHouse.setChannelGuide(channel, { links: wished }, by);
  }

  /** The guide as text, packed or not. */
  async read(request: Partial<GuideRequest> = {}): Promise<string> {
    const { path } = await this.files.get({ ...whole, ...request });
    return request.gzip === true ? gunzipSync(readFileSync(path)).toString() : readFileSync(path, 'utf8');
  }
}

export async function setUpGuide(t: TestContext, publicUrl: string | null = null): Promise<GuideHouseholder> {
  const { store, dir } = await setUpStore(t);
  const guide = await openGuideStore({ dir });
  const house = new GuideHouseholder(store, guide, publicUrl);
  t.after(async () => {
    house.files.close();
    await guide.close();
  });
  return house;
}

/** `id title start-stop`, one for each programme, in hours from the start of the day of the tests on. */
export function told(guide: string): string[] {
  const hours = (time: string) => {
    const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)00 \+0000$/.exec(time) ?? [];
    const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)) / 3_600_000;
    return at - (noon - 12 * 3600) / 3600;
  };
  const programme = /<programme start="([^"]*)" stop="([^"]*)" channel="([^"]*)"><title>([^<]*)/g;
  return [...guide.matchAll(programme)].map(
    ([, start = '', stop = '', id, title]) => `${id} ${title} ${hours(start)}-${hours(stop)}`,
  );
}

/** The ids of its channels, in order, each with its names. */
export function channelsOf(guide: string): [id: string, ...names: string[]][] {
  return [...guide.matchAll(/<channel id="([^"]*)">(.*)<\/channel>/g)].map(([, id = '', names = '']) => {
    return [id, ...[...names.matchAll(/<display-name>([^<]*)</g)].map(([, name = '']) => name)];
  });
}
