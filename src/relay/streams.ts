import { createHash } from 'node:crypto';
import type { DatagramUpstream, StreamDetail, StreamStatus } from '../model/stream.js';
import type { ViewerStatus } from '../model/viewer.js';
import { text } from './frame.js';
import { type PumpLink, PumpRefusal } from './pump-link.js';
import type { Pumps } from './pumps.js';
import { explainRefusal } from './reasons.js';
import { pidStatus, streamStatus, viewerStatus } from './status.js';

/** Seconds, and megabytes for `look_back_mb`. */
export type StreamTimes = {
  readonly no_signal: number;
  readonly rejoin: number;
  readonly linger: number;
  readonly membership_refresh: number;
  readonly look_back: number;
  readonly look_back_mb: number;
};

/** The streams of all pumps: nothing is known of them but what these say. */
export class Streams {
  readonly #pumps: Pumps;
  readonly #times: StreamTimes;

  constructor(pumps: Pumps, times: StreamTimes) {
    this.#pumps = pumps;
    this.#times = times;
  }

  /**
   * Opens the stream of an upstream, or renews the linger of one that is open. Resolves with its id. `refresh` is as in
   * `WatchRequest`.
   * @throws WeirError why the pump refuses.
   */
  async open(link: PumpLink, upstream: DatagramUpstream, refresh: number | null): Promise<string> {
    const stream = streamId(upstream);
    const { kind, address, port, source } = upstream;
    const target = { stream, kind, address, port, source, interface: upstream.interface };
    const plan = planOf({ ...this.#times, membership_refresh: refresh ?? this.#times.membership_refresh });
    try {
      await link.request('open', { ...target, ...plan });
    } catch (error) {
      throw error instanceof PumpRefusal ? explainRefusal(error) : error;
    }
    return stream;
  }

  /** All streams and viewers. */
  async stats(): Promise<{ streams: StreamStatus[]; viewers: ViewerStatus[] }> {
    const replies = await Promise.all(this.#pumps.all().map((link) => link.request('stats')));
    const streams: StreamStatus[] = [];
    const viewers: ViewerStatus[] = [];
    for (const { rows } of replies) {
      const own = rows.filter((row) => row.name === 'stream').map(streamStatus);
      const upstreams = new Map(own.map((stream) => [stream.id, stream.upstream]));
      streams.push(...own);
      viewers.push(...rows.filter((row) => row.name === 'viewer').flatMap((row) => viewerStatus(row, upstreams) ?? []));
    }
    return { streams, viewers };
  }

  /** Null when there is none of that id. */
  async detail(id: string): Promise<StreamDetail | null> {
    const found = await Promise.all(this.#pumps.all().map((link) => detailOf(link, id)));
    return found.find((stream) => stream !== null) ?? null;
  }

  /** Ends what a request names, whichever pump has it. False when none has. */
  async end(name: 'close' | 'dismiss', values: Record<string, string>): Promise<boolean> {
    for (const link of this.#pumps.all()) {
      try {
        await link.request(name, values);
        return true;
      } catch (error) {
        if (!(error instanceof PumpRefusal)) throw error;
      }
    }
    return false;
  }
}

/** What a pump says of one stream; a pump of an older version may list them all. */
async function detailOf(link: PumpLink, id: string): Promise<StreamDetail | null> {
  try {
    const { rows } = await link.request('stats', { stream: id });
    const own = rows.filter((row) => text(row, 'stream') === id);
    const stream = own.find(({ name }) => name === 'stream');
    if (stream === undefined) return null;
    const pids = own.filter(({ name }) => name === 'pid').map(pidStatus);
    return { ...streamStatus(stream), pids: pids.sort((one, other) => one.pid - other.pid) };
  } catch (error) {
    if (error instanceof PumpRefusal) return null;
    throw error;
  }
}

/** The times of a stream as the pump takes them: milliseconds and bytes. */
export function planOf({
  no_signal,
  rejoin,
  linger,
  membership_refresh,
  look_back,
  look_back_mb,
}: StreamTimes): Record<string, number> {
  return {
    silence: Math.round(no_signal * 1000),
    rejoin: Math.round(rejoin * 1000),
    linger: Math.round(linger * 1000),
    refresh: Math.round(membership_refresh * 1000),
    'look-back': Math.round(look_back * 1000),
    'look-back-bytes': look_back_mb * 2 ** 20,
  };
}

/** The same for equal upstreams, also after a restart; `udp` and `rtp` are received alike. */
function streamId({ address, port, source, interface: name }: DatagramUpstream): string {
  return createHash('sha256')
    .update(JSON.stringify([address, port, source, name]))
    .digest('hex')
    .slice(0, 12);
}
