import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import type { Log } from '../../src/lib/log.js';
import type { Channel } from '../../src/model/channel.js';
import type { GivenSource, SourceStatus } from '../../src/model/source.js';
import { createPlaylists, type Playlists } from '../../src/playlist/playlists.js';
import { openStore, type Store } from '../../src/store/open.js';
import { tempDir } from '../support/temp.js';

type Owner = { after(undo: () => void | Promise<void>): void };

type Line = { readonly level: number; readonly msg: string; readonly source?: string; readonly reason?: string };

export type Household = {
  readonly dir: string;
  /** The list in the data directory that is given unless others are. */
  readonly file: string;
  readonly store: Store;
  readonly playlists: Playlists;
  /** Log lines so far, parsed. */
  readonly lines: Line[];
  write(list: string): void;
  channels(): Promise<Channel[]>;
  /** Key of each published channel by its name. */
  keys(): Promise<Map<string, string>>;
  status(): Promise<SourceStatus | undefined>;
  /** Runs a statement on the database, as time passing would. */
  alter(sql: string): void;
  stop(): Promise<void>;
};

type Options = { readonly dir?: string; readonly sources?: readonly (string | GivenSource)[]; readonly list?: string };

/** A store and its lists in a directory of their own, started. */
export async function household(t: Owner, { dir = tempDir(t), sources, list }: Options = {}): Promise<Household> {
  const file = join(dir, 'list.m3u');
  const write = (text: string) => writeFileSync(file, text);
  if (list !== undefined) write(list);
  const lines: Line[] = [];
  const log: Log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line) as Line) });
  const given = (sources ?? [file]).map((source) =>
    typeof source === 'string' ? { location: source, interface: null, membership_refresh: null } : source,
  );
  const store = await openStore({ dir, log });
  const playlists = createPlaylists({ store, log, sources: given });
  const stop = async () => {
    await playlists.stop();
    await store.close();
  };
  t.after(stop);
  await playlists.start();
  const channels = () => store.channels.list();
  return {
    ...{ dir, file, store, playlists, lines, write, channels, stop },
    keys: async () => new Map((await channels()).map(({ name, key }) => [name, key])),
    status: async () => (await store.sources.list())[0],
    alter(sql) {
      const raw = new Database(join(dir, 'weir.db'));
      raw.exec(sql);
      raw.close();
    },
  };
}

/** A list of entries, each with a name, the last number of its group, and more attributes. */
export function m3u(...entries: readonly [name: string, host: number | string, attributes?: string][]): string {
  const texts = entries.map(([name, host, attributes = '']) => {
    const url = typeof host === 'number' ? `udp://@239.1.${host >> 8}.${host & 255}:5000` : host;
    return `#EXTINF:-1 ${attributes},${name}\n${url}\n`;
  });
  return `#EXTM3U\n${texts.join('')}`;
}

export function many(count: number): string {
  return m3u(...Array.from({ length: count }, (_, n): [string, number] => [`Channel ${n}`, n]));
}
