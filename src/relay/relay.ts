import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import type { StreamDetail, StreamStatus, Upstream } from '../model/stream.js';
import type { ViewerStatus } from '../model/viewer.js';
import type { Relay, WatchRequest } from './contract.js';
import { handleOf } from './descriptor.js';
import { type Frame, number, text } from './frame.js';
import { type PumpLink, PumpRefusal, type Reply } from './pump-link.js';
import { Pumps } from './pumps.js';
import { explainClosed, explainRefusal } from './reasons.js';
import { type ClosedEarly, Sessions } from './sessions.js';
import { formatNote, pidStatus, streamStatus, viewerStatus } from './status.js';

export type RelayOptions = {
  /** The data directory, where the pump lives. */
  readonly dir: string;
  readonly log: Log;
  /** Interface of upstreams that name none, or null for the kernel's choice. */
  readonly interface: string | null;
  /** How many viewers there may be. */
  readonly viewers: number;
  readonly viewerTcp: ViewerTcp;
  readonly streams: StreamTimes;
};

/** How TCP treats viewers; null leaves it to the kernel, and so does what it does not know. */
export type ViewerTcp = {
  /** Name of a congestion control (TCP_CONGESTION, tcp(7)). */
  readonly congestion: string | null;
  /** KiB that the kernel takes at most before it has sent them (TCP_NOTSENT_LOWAT). */
  readonly unsent_kb: number | null;
};

/** Seconds, and megabytes for `look_back_mb`. */
export type StreamTimes = {
  readonly no_signal: number;
  readonly rejoin: number;
  readonly linger: number;
  readonly membership_refresh: number;
  readonly look_back: number;
  readonly look_back_mb: number;
};

export interface RunningRelay extends Relay {
  start(): Promise<void>;
  /** Ends the pump too. */
  stop(): Promise<void>;
  /** Leaves the pump and its viewers to the next start. */
  leave(): void;
}

export function createRelay(options: RelayOptions): RunningRelay {
  return new PumpRelay(options);
}

/** Opens streams and hands viewers over. What it knows of them it can always learn again from the pump. */
class PumpRelay implements RunningRelay {
  readonly #options: RelayOptions;
  readonly #pumps: Pumps;
  readonly #sessions = new Sessions();
  /** What every hand-over says of TCP. */
  readonly #tcp: { readonly congestion: string | null; readonly unsent: number | null };

  constructor(options: RelayOptions) {
    const { congestion, unsent_kb: unsent } = options.viewerTcp;
    this.#options = options;
    this.#tcp = { congestion, unsent: unsent === null ? null : unsent * 1024 };
    this.#pumps = new Pumps({
      dir: options.dir,
      log: options.log,
      onHello: (link, hello, before) => this.#adopt(link, hello, before),
      onEvent: (event) => this.#event(event),
      onGone: (link) => this.#lost(link),
    });
  }

  start(): Promise<void> {
    return this.#pumps.start();
  }

  stop(): Promise<void> {
    return this.#pumps.stop();
  }

  leave(): void {
    this.#pumps.leave();
  }

  async watch(request: WatchRequest): Promise<void> {
    this.#admit();
    const upstream = { ...request.upstream, interface: request.upstream.interface ?? this.#options.interface };
    const early = await this.#attach(upstream, request);
    if (early === null) return;
    // The stream ended between its opening and the hand-over: it is opened once more.
    const again = early.reason === 'no-stream' ? await this.#attach(upstream, request) : early;
    if (again !== null) throw explainClosed(again, upstream, this.#options.streams.no_signal);
  }

  async streams(): Promise<StreamStatus[]> {
    return (await this.#stats()).streams;
  }

  async stream(id: string): Promise<StreamDetail | null> {
    const found = await Promise.all(this.#pumps.all().map((link) => detailOf(link, id)));
    return found.find((stream) => stream !== null) ?? null;
  }

  async viewers(): Promise<ViewerStatus[]> {
    return (await this.#stats()).viewers;
  }

  closeStream(id: string): Promise<boolean> {
    return this.#end('close', { stream: id, reason: 'dismissed' });
  }

  closeViewer(id: string): Promise<boolean> {
    return this.#end('dismiss', { viewer: id, reason: 'dismissed' });
  }

  #admit(): void {
    const { viewers } = this.#options;
    if (this.#sessions.size < viewers) return;
    throw new WeirError('limit-reached', `All ${viewers} places are taken.`, { retryAfter: 5 });
  }

  /** Opens the stream and hands the client over. Null once it is live, else why it was closed before. */
  async #attach(upstream: Upstream, request: WatchRequest): Promise<ClosedEarly | null> {
    const link = await this.#pumps.current();
    const stream = streamId(upstream);
    await this.#open(link, stream, upstream, request.membershipRefresh);
    // Others may have come while the stream was being opened.
    this.#admit();
    const handle = handleOf(request.socket);
    if (handle === null) throw new WeirError('unavailable', 'The client has gone.');
    const viewer = randomBytes(6).toString('hex');
    // From here on the pump hears of what the client does.
    handle.readStop();
    const values = { viewer, stream, note: formatNote(request.note), head: request.head, ...this.#tcp };
    const outcome = this.#settled(viewer, link, request.socket);
    if (!link.attach(values, handle.fd)) {
      this.#sessions.closed(viewer, nothingSeen('unavailable'));
    }
    const early = await outcome;
    if (early !== null) handleOf(request.socket)?.readStart();
    return early;
  }

  #settled(viewer: string, link: PumpLink, socket: Socket): Promise<ClosedEarly | null> {
    return new Promise((settle) => {
      const waiting = { socket, resolve: () => settle(null), reject: (early: ClosedEarly) => settle(early) };
      this.#sessions.add({ id: viewer, link, waiting });
    });
  }

  async #open(link: PumpLink, stream: string, upstream: Upstream, refresh: number | null): Promise<void> {
    const { kind, address, port, source } = upstream;
    const target = { stream, kind, address, port, source, interface: upstream.interface };
    const { streams } = this.#options;
    const plan = planOf({ ...streams, membership_refresh: refresh ?? streams.membership_refresh });
    try {
      await link.request('open', { ...target, ...plan });
    } catch (error) {
      throw error instanceof PumpRefusal ? explainRefusal(error) : error;
    }
  }

  async #end(name: string, values: Record<string, string>): Promise<boolean> {
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

  async #stats(): Promise<{ streams: StreamStatus[]; viewers: ViewerStatus[] }> {
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

  /** Takes over what the pump already has; whoever was there before and is not in it has gone meanwhile. */
  #adopt(link: PumpLink, { rows }: Reply, before: PumpLink | null): void {
    const viewers = rows.filter((row) => row.name === 'viewer');
    for (const viewer of viewers) {
      const id = text(viewer, 'viewer');
      if (number(viewer, 'bytes') > 0) this.#sessions.live(id);
      this.#sessions.add({ id, link, waiting: this.#sessions.get(id)?.waiting ?? null });
    }
    if (viewers.length > 0) this.#options.log.info({ viewers: viewers.length }, 'viewers go on');
    if (before !== null) this.#lost(before);
  }

  #event(event: Frame): void {
    const { log } = this.#options;
    if (event.name === 'live') this.#sessions.live(text(event, 'viewer'));
    else if (event.name === 'closed') this.#closed(event);
    else if (event.name === 'ended')
      log.debug({ stream: text(event, 'stream'), reason: text(event, 'reason') }, 'stream ended');
    else if (event.name === 'silent') log.warn({ stream: text(event, 'stream') }, 'stream is silent, joined again');
    else if (event.name === 'resumed') log.info({ stream: text(event, 'stream') }, 'stream is back');
  }

  #closed(event: Frame): void {
    const early = {
      reason: text(event, 'reason'),
      saw: text(event, 'saw'),
      interface: text(event, 'interface'),
      strays: number(event, 'strays'),
    };
    const fields = { bytes: number(event, 'sent'), seconds: Math.round(number(event, 'uptime') / 1000) };
    this.#report(text(event, 'viewer'), early, fields);
  }

  /** Whoever watched through a pump that is gone is gone with it. */
  #lost(link: PumpLink): void {
    for (const { id } of this.#sessions.of(link)) this.#report(id, nothingSeen('pump-gone'), {});
  }

  #report(viewer: string, early: ClosedEarly, fields: Record<string, number>): void {
    if (this.#sessions.closed(viewer, early)) {
      this.#options.log.info({ viewer, reason: early.reason, ...fields }, 'viewer closed');
    }
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
function planOf({
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
function streamId({ address, port, source, interface: name }: Upstream): string {
  return createHash('sha256')
    .update(JSON.stringify([address, port, source, name]))
    .digest('hex')
    .slice(0, 12);
}

function nothingSeen(reason: string): ClosedEarly {
  return { reason, saw: '', interface: '', strays: 0 };
}
