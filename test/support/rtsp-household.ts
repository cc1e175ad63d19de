import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, type Viewer, watch } from './http.js';
import { tempDir } from './temp.js';
import { until } from './until.js';
import { startWeir, type Weir } from './weir.js';

type Owner = { after(undo: () => void | Promise<void>): void };

export type RtspEntry = {
  readonly name: string;
  readonly url: string;
  /** Attributes of its EXTINF, as they are written. */
  readonly attributes?: string;
};

export type HouseholdOptions = {
  /** Over the settings that these tests need. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
};

/** A weir whose list names servers of RTSP on loopback, which it is told to ask. */
export class RtspHousehold {
  readonly weir: Weir;
  /** Paths by the names of channels, as far as the list was read. */
  readonly #paths = new Map<string, string>();

  constructor(weir: Weir) {
    this.weir = weir;
  }

  /** The list as it is published for a profile, once all its channels are in it. */
  async list(profile: string): Promise<string> {
    return await until('the list', async () => {
      const { body } = await ask(this.weir.url, `/playlist.m3u?profile=${profile}`);
      return body.includes('/stream/') ? body : undefined;
    });
  }

  /** The path of a channel, without a query. A channel keeps it, so that one look at the list is enough. */
  async path(name: string): Promise<string> {
    if (!this.#paths.has(name)) await this.#readPaths();
    const path = this.#paths.get(name);
    if (path === undefined) throw new Error(`no channel ${name} is published`);
    return path;
  }

  async #readPaths(): Promise<void> {
    for (const [, name = '', address = ''] of (await this.list('generic')).matchAll(
      /,([^,\n]+)\n(?:#.*\n)*(http.*)/g,
    )) {
      this.#paths.set(name, new URL(address).pathname);
    }
  }

  async watch(owner: Owner, name: string, query = ''): Promise<Viewer> {
    return await watch(owner, this.weir.url, (await this.path(name)) + query);
  }
}

export async function startRtspHousehold(
  owner: Owner,
  entries: readonly RtspEntry[],
  { config = {}, env = {} }: HouseholdOptions = {},
): Promise<RtspHousehold> {
  const file = join(tempDir(owner), 'weir.yaml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ inner_upstreams: true, ...config }));
  const lines = entries.map(({ name, url, attributes = '' }) => `#EXTINF:-1 ${attributes},${name}\n${url}\n`);
  const playlist = `#EXTM3U\n${lines.join('')}`;
  return new RtspHousehold(await startWeir(owner, { playlist, args: ['--config', file], env }));
}
