import { once } from 'node:events';
import type { ApiOptions } from '../../src/api/options.js';
import { type Api, createApi } from '../../src/api/server.js';
import { openLog } from '../../src/lib/log.js';
import type { Channel } from '../../src/model/channel.js';
import type { SourceStatus } from '../../src/model/source.js';
import type { StreamDetail, StreamStatus, Upstream } from '../../src/model/stream.js';
import type { ViewerStatus } from '../../src/model/viewer.js';
import type { Relay, WatchRequest } from '../../src/relay/contract.js';

export const upstream: Upstream = { kind: 'rtp', address: '239.1.1.1', port: 5000, source: null, interface: null };

export const news: Channel = {
  id: 7,
  key: 'k7news',
  name: 'News <b>"HD"</b>',
  groups: ['News'],
  logo: null,
  tvgId: null,
  upstream,
  membershipRefresh: null,
};

export const stream: StreamStatus = {
  id: 'rtp://@239.1.1.1:5000',
  upstream,
  state: 'live',
  format: 'rtp-ts',
  uptime: 3725,
  viewers: 1,
  packets: 1000,
  bytes: 1_316_000,
  bitrate: 8_000_000,
  continuityErrors: 2,
  reordered: 3,
  duplicates: 4,
  lost: 5,
  strays: 6,
  kernelDrops: 7,
  restarts: 8,
  rejoins: 9,
  jumps: 10,
  lookBack: 11,
  health: {
    ...{ syncLosses: 11, patErrors: 12, pmtErrors: 13, pidErrors: 14, transportErrors: 15, crcErrors: 16 },
    ...{ pcrErrors: 17, scrambled: 18, patInterval: 0.1, pmtInterval: 0.25, pcrInterval: 0.0386, pcrJitter: null },
  },
};

export const detail: StreamDetail = {
  ...stream,
  pids: [
    { pid: 0, role: 'pat', type: null, pcr: false, packets: 20, bitrate: 15_040, continuityErrors: 0, scrambled: 0 },
    {
      pid: 256,
      role: 'component',
      type: 27,
      pcr: true,
      packets: 900,
      bitrate: 7e6,
      continuityErrors: 2,
      scrambled: 18,
    },
    { pid: 300, role: null, type: null, pcr: false, packets: 1, bitrate: 1504, continuityErrors: 0, scrambled: 0 },
  ],
};

export const viewer: ViewerStatus = {
  id: 'v1',
  stream: stream.id,
  upstream,
  note: { channel: 7, token: null, userAgent: '<script>alert(1)</script>', peer: '192.168.1.9' },
  uptime: 61,
  bytes: 1_000_000,
  lag: 1316,
  jumps: 1,
  lostBytes: 188,
};

export const source: SourceStatus = {
  id: 1,
  kind: 'file',
  location: '/lists/<a>.m3u',
  interface: null,
  state: 'quarantined',
  reason: 'the list is empty & was not taken',
  entries: 3,
  channels: 2,
  skipped: { rtsp: 1 },
  refreshedAt: 1_767_225_600,
  publishedAt: null,
};

/** A relay that sends one line of text instead of media, for whatever is about the answer and not about media. */
export class StubRelay implements Relay {
  readonly watched: WatchRequest[] = [];
  /** What the next request is refused with. */
  refusal: Error | null = null;
  readonly closed: string[] = [];

  async watch(request: WatchRequest): Promise<void> {
    this.watched.push(request);
    if (this.refusal !== null) throw this.refusal;
    request.socket.end(`${request.head}media`);
    await once(request.socket, 'close');
  }

  streams(): Promise<StreamStatus[]> {
    return Promise.resolve([stream]);
  }

  stream(id: string): Promise<StreamDetail | null> {
    return Promise.resolve(id === stream.id ? detail : null);
  }

  viewers(): Promise<ViewerStatus[]> {
    return Promise.resolve([viewer]);
  }

  closeStream(id: string): Promise<boolean> {
    this.closed.push(id);
    return Promise.resolve(id === stream.id);
  }

  closeViewer(id: string): Promise<boolean> {
    this.closed.push(id);
    return Promise.resolve(id === viewer.id);
  }
}

export const secrets = {
  admin: 'admin-secret-from-a-file',
  read: 'weir_read-secret',
  edit: 'weir_edit-secret',
  token: 'token-secret',
};

type Owner = { after(undo: () => void | Promise<void>): void };
type TestApi = { readonly url: string; readonly relay: StubRelay; readonly log: () => string; readonly api: Api };

/** The real API on a port of loopback over a stub relay and a catalogue of one channel. Its log can be read. */
export async function startApi(owner: Owner, options: Partial<ApiOptions> = {}): Promise<TestApi> {
  const relay = new StubRelay();
  const api = createApi({ ...stubOptions(relay), ...options, listen: [{ address: '127.0.0.1', port: 0 }] });
  const log = captureLog(owner);
  const [url = ''] = await api.start();
  owner.after(() => api.stop());
  return { url, relay, log, api };
}

/** The options of an API over a stub relay. */
export function stubOptions(relay: Relay = new StubRelay()): ApiOptions {
  const granted = { name: 'test', createdAt: 0, revokedAt: null };
  return {
    relay,
    channels: {
      list: () => Promise.resolve([news]),
      byKey: (key) => Promise.resolve(key === news.key ? news : null),
      byId: (id) => Promise.resolve(id === news.id ? news : null),
      generation: () => Promise.resolve(1),
    },
    sources: { list: () => Promise.resolve([source]) },
    access: {
      findKey: (secret) => {
        if (secret === secrets.read) return Promise.resolve({ ...granted, id: 1, scope: 'read' as const });
        return Promise.resolve(secret === secrets.edit ? { ...granted, id: 2, scope: 'edit' as const } : null);
      },
      findToken: (secret) => Promise.resolve(secret === secrets.token ? { ...granted, id: 3 } : null),
    },
    writePlaylist: (channels, { base }) =>
      ['#EXTM3U', ...channels.flatMap(({ key, name }) => [`#EXTINF:-1,${name}`, `${base}/stream/${key}`]), ''].join(
        '\n',
      ),
    log: openLog('debug'),
    adminKey: secrets.admin,
    publicUrl: null,
    hosts: [],
    proxies: [],
    cgnatIsPrivate: false,
  };
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
