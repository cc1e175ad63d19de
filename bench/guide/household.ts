import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelStatus } from '../../src/model/channel.js';
import type { GuideSourceStatus } from '../../src/model/guide.js';
import { everything } from '../../test/support/rest.js';
import { startWeir } from '../../test/support/weir.js';
import { cpuOf, House, instant } from '../catalogue/house.js';
import { rssOf } from '../endurance/figures.js';
import type { Owner } from '../endurance/ground.js';
import { guideIdOf, nameOf } from './generate.js';
import { peakOf, resetPeak } from './peak.js';

export type HouseholdOptions = {
  /** Address of the guide. */
  readonly guide: string;
  /** Channels of the guide that have a channel of ours. */
  readonly linked: readonly number[];
  /** Channels of ours that the guide knows nothing of. */
  readonly spare: number;
  /** More of a list, without its header. */
  readonly list?: string;
  /** Seconds in which nothing is asked before it begins: what setting links calls for is done then, and V8 has tidied up. */
  readonly rest: number;
};

/** One refresh of the guide, until its source is told to be done with. */
export type Step = {
  /** Milliseconds, and those of CPU of the whole process. */
  readonly wall: number;
  readonly cpu: number;
  /** Bytes that the whole process held before, and at most. */
  readonly rss: number;
  readonly peak: number;
};

const source = 1;
const group = 'Guide';

/** A weir whose channels are linked to a guide that it has not read yet. */
export class Household {
  readonly house: House;
  readonly #spare: readonly number[];

  constructor(house: House, spare: readonly number[]) {
    this.house = house;
    this.#spare = spare;
  }

  /** Begins with the guide, which is not enabled before. */
  async begin(): Promise<Step> {
    const enable = () => this.house.request('PATCH', `/guide-sources/${source}`, { enabled: true });
    return await this.#measure('the first import', enable);
  }

  async refresh(): Promise<Step> {
    return await this.#measure('a refresh', () => this.house.request('POST', `/guide-sources/${source}:refresh`));
  }

  /** Links spare channels to such of the guide, and waits until they have their programmes: 2 s of quiet are in it. */
  async link(channels: readonly number[]): Promise<Step> {
    const ids = this.#spare.slice(0, channels.length);
    for (const [index, id] of ids.slice(1).entries()) await setLink(this.house, id, channels[index + 1] ?? 0);
    return await this.#measure('the pass for new links', () => setLink(this.house, ids[0] ?? 0, channels[0] ?? 0));
  }

  async status(): Promise<GuideSourceStatus> {
    return await this.house.request<GuideSourceStatus>('GET', `/guide-sources/${source}`);
  }

  async #measure(what: string, begin: () => Promise<unknown>): Promise<Step> {
    const { pid } = this.house.weir;
    resetPeak(pid);
    const rss = rssOf(pid);
    const [from, cpu] = [instant(), cpuOf(pid)];
    await begin();
    const isDone = ({ type, id }: { readonly type: string; readonly id?: number }) =>
      type === 'guide-source' && id === source;
    const to = await this.house.told(`${what} to end`, from, isDone);
    return { wall: to - from, cpu: cpuOf(pid) - cpu, rss, peak: peakOf(pid) };
  }
}

/** Starts one; it ends with its owner. */
export async function startHousehold(owner: Owner, options: HouseholdOptions): Promise<Household> {
  const { guide, linked, spare, list = '', rest } = options;
  const entry = (name: string, port: number) =>
    `#EXTINF:-1 group-title="${group}",${name}\nudp://@239.200.${port >> 8}.${port & 255}:5000\n`;
  const entries = [
    ...linked.map((channel, index) => entry(nameOf(channel), index)),
    ...Array.from({ length: spare }, (_, index) => entry(`Spare ${index}`, linked.length + index)),
  ];
  const house = new House(await startWeir(owner, { playlist: `#EXTM3U\n${entries.join('')}${list}` }));
  owner.after(() => house.close());
  await house.listen();
  await house.request('POST', '/guide-sources', { kind: 'url', location: guide, enabled: false });
  const channels = await everything<ChannelStatus>(house.weir, `/channels?group=${group}`);
  const byName = new Map(channels.map(({ name, id }) => [name, id]));
  for (const channel of linked) await setLink(house, byName.get(nameOf(channel)) ?? 0, channel);
  const spares = Array.from({ length: spare }, (_, index) => byName.get(`Spare ${index}`) ?? 0);
  await pause(rest * 1000);
  return new Household(house, spares);
}

async function setLink(house: House, id: number, channel: number): Promise<void> {
  const links = [{ guideSource: source, guideId: guideIdOf(channel) }];
  await house.request('PATCH', `/channels/${id}/guide`, { links });
}
