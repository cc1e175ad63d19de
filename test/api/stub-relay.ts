import { once } from 'node:events';
import type { DatagramUpstream, RtspUpstream, StreamDetail, StreamStatus } from '../../src/model/stream.js';
import type { ViewerStatus } from '../../src/model/viewer.js';
import type { Described, Relay, WatchRequest } from '../../src/relay/contract.js';

export const upstream: DatagramUpstream = {
  kind: 'rtp',
  address: '239.1.1.1',
  port: 5000,
  source: null,
  interface: null,
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
  transport: null,
  media: null,
  archive: null,
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
  note: {
    channel: 7,
    token: null,
    userAgent: '<script>alert(1)</script>',
    peer: '192.168.1.9',
    archive: null,
    asked: null,
  },
  uptime: 61,
  bytes: 1_000_000,
  lag: 1316,
  jumps: 1,
  lostBytes: 188,
};

/** A relay that sends one line of text instead of media, for whatever is about the answer and not about media. */
export class StubRelay implements Relay {
  readonly watched: WatchRequest[] = [];
  /** What the next request is refused with. */
  refusal: Error | null = null;
  readonly closed: string[] = [];
  /** What servers of RTSP say of any address. */
  description: Described = { duration: null, clock: null };
  readonly described: RtspUpstream[] = [];

  async watch(request: WatchRequest): Promise<void> {
    this.watched.push(request);
    if (this.refusal !== null) throw this.refusal;
    request.socket.end(`${request.head}media`);
    await once(request.socket, 'close');
  }

  describe(asked: RtspUpstream): Promise<Described> {
    this.described.push(asked);
    return this.refusal === null ? Promise.resolve(this.description) : Promise.reject(this.refusal);
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
