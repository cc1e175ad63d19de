import { join } from 'node:path';
import { after } from 'node:test';
import Database from 'better-sqlite3';
import type { Events } from '../../src/api/catalogue.js';
import type { Access, ApiOptions } from '../../src/api/options.js';
import { type Api, createApi } from '../../src/api/server.js';
import { openLog } from '../../src/lib/log.js';
import { utc } from '../../src/lib/zone-clock.js';
import type { Change } from '../../src/model/change.js';
import type { Channel } from '../../src/model/channel.js';
import type { SourceStatus } from '../../src/model/source.js';
import { createLogos } from '../../src/playlist/logos/logos.js';
import { createPlaylists, type Playlists as RealPlaylists } from '../../src/playlist/playlists.js';
import { createPublishedLists } from '../../src/playlist/publish.js';
import type { Relay } from '../../src/relay/contract.js';
import { digest } from '../../src/store/access-writes.js';
import { openStore, type Store } from '../../src/store/open.js';
import { tempDir } from '../support/temp.js';
import { type GuideParts, openGuideParts } from './guide-parts.js';
import { StubRelay, upstream } from './stub-relay.js';

export const news: Channel = {
  id: 7,
  key: 'k7news',
  name: 'News <b>"HD"</b>',
  number: null,
  groups: ['News'],
  logo: null,
  tvgId: null,
  guideShift: null,
  radio: false,
  extras: null,
  upstream,
  direct: null,
  membershipRefresh: null,
  archive: null,
};

export const source: SourceStatus = {
  id: 1,
  kind: 'file',
  name: null,
  given: true,
  enabled: true,
  location: '/lists/<a>.m3u',
  interface: null,
  schedule: null,
  headers: {},
  userAgent: null,
  proxy: null,
  timeZone: null,
  encoding: null,
  includeVod: false,
  publishDirect: false,
  catchup: null,
  state: 'quarantined',
  reason: 'the list is empty & was not taken',
  entries: 3,
  channels: 2,
  skipped: { rtsp: 1 },
  kinds: {},
  problems: {},
  failures: 1,
  nextRefreshAt: null,
  version: 1,
  refreshedAt: 1_767_225_600,
  publishedAt: null,
};

export const secrets = {
  admin: 'admin-secret-from-a-file',
  read: 'weir_read-secret',
  edit: 'weir_edit-secret',
  token: 'token-secret',
};

type Owner = { after(undo: () => void | Promise<void>): void };
type Options = Partial<Omit<ApiOptions, 'access'>> & { readonly access?: Access };
type TestApi = { readonly url: string; readonly relay: StubRelay; readonly log: () => string; readonly api: Api };

/** The real API on a port of loopback over a stub relay and a catalogue of one channel. Its log can be read. */
export async function startApi(owner: Owner, options: Options = {}): Promise<TestApi> {
  const relay = new StubRelay();
  const { access, ...given } = await oneChannel(relay);
  const api = createApi({
    ...given,
    ...options,
    access: { ...access, ...options.access },
    listen: [{ address: '127.0.0.1', port: 0 }],
  });
  const log = captureLog(owner);
  const [url = ''] = await api.start();
  owner.after(() => api.stop());
  return { url, relay, log, api };
}

/** The options of an API over a real store and a stub relay. */
export async function realOptions(owner: Owner, relay: Relay = new StubRelay()): Promise<ApiOptions & Real> {
  const dir = tempDir(owner);
  const store = await openStore({ dir });
  const log = openLog('debug');
  const playlists = createPlaylists({ store, log, sources: [] });
  const lists = createPublishedLists({ store });
  const logos = createLogos({ store: store.logos, dir, log, ownPorts: [] });
  const { close, ...guideParts } = await openGuideParts(store, log);
  owner.after(async () => {
    lists.close();
    await logos.stop();
    await close();
    await playlists.stop();
    await store.close();
  });
  const { connect: _connect, close: _close, ...parts } = store;
  return {
    ...parts,
    ...guideParts,
    ...{ relay, store, playlists, lists, logos, log },
    events: eventsOf(store, playlists, guideParts),
    adminKey: secrets.admin,
    publicUrl: null,
    hosts: [],
    proxies: [],
    cgnatIsPrivate: false,
    listFolder: null,
    clock: utc,
    innerUpstreams: false,
    development: false,
  };
}

type Real = GuideParts & { readonly store: Store; readonly playlists: RealPlaylists };

/** What lists, guides and edits tell, as `main.ts` joins it. */
function eventsOf(store: Store, playlists: RealPlaylists, { guides }: GuideParts): Events {
  return {
    on(listener) {
      const change = (made: Change) => listener({ type: 'change', change: made });
      const told = [store.edits, store.sources, store.guideHouse].map((part) => part.on(change));
      const ends = [playlists.on(listener), guides.on(listener), ...told];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** The same over a catalogue of one channel, `news`, with keys that are known beforehand: made once for a file of tests. */
export async function oneChannel(relay: Relay = new StubRelay()): Promise<ApiOptions> {
  shared ??= makeNews();
  const real = await shared;
  return { ...real, relay, sources: { ...real.sources, list: () => Promise.resolve([source]) } };
}

let shared: Promise<ApiOptions> | undefined;
const undone: (() => void | Promise<void>)[] = [];
after(async () => {
  for (const undo of undone.reverse()) await undo();
});

async function makeNews(): Promise<ApiOptions> {
  const owner = { after: (undo: () => void | Promise<void>) => undone.push(undo) };
  const { store, playlists, ...options } = await realOptions(owner);
  const { dir } = store;
  alter(dir, "INSERT INTO sqlite_sequence (name, seq) VALUES ('channel', 6)");
  const content = `#EXTM3U\n#EXTINF:-1 group-title="News",${news.name}\nrtp://@239.1.1.1:5000\n`;
  await store.sources.add({ kind: 'inline', content }, { actor: { key: null, name: 'test' } });
  await playlists.start();
  alter(dir, 'UPDATE channel SET key = ?', [news.key]);
  const key = "INSERT INTO api_key (id, name, scope, secret, created_at) VALUES (?, 'test', ?, ?, 0)";
  alter(dir, key, [1, 'read', digest(secrets.read)]);
  alter(dir, key, [2, 'edit', digest(secrets.edit)]);
  const token = "INSERT INTO access_token (id, name, secret, created_at) VALUES (3, 'test', ?, 0)";
  alter(dir, token, [digest(secrets.token)]);
  return { ...options, playlists };
}

function alter(dir: string, sql: string, values: readonly unknown[] = []): void {
  const raw = new Database(join(dir, 'weir.db'));
  raw.prepare(sql).run(...values);
  raw.close();
}

/** Collects what is written to standard error, where the log goes. */
function captureLog(owner: Owner): () => string {
  const { write } = process.stderr;
  let text = '';
  process.stderr.write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  owner.after(() => {
    process.stderr.write = write;
  });
  return () => text;
}

export function basic(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

export function bearer(secret: string): Record<string, string> {
  return { Authorization: `Bearer ${secret}` };
}
