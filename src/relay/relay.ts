import type { Log } from '../lib/log.js';
import { version } from '../lib/version.js';
import type { RtspUpstream, StreamDetail, StreamStatus, Upstream } from '../model/stream.js';
import type { ViewerStatus } from '../model/viewer.js';
import type { Described, Relay, WatchRequest } from './contract.js';
import { type Frame, text } from './frame.js';
import type { PumpLink, Reply } from './pump-link.js';
import { Pumps } from './pumps.js';
import { explainClosed } from './reasons.js';
import { describeUpstream } from './rtsp/describe.js';
import { RtspSessions } from './rtsp/sessions.js';
import type { RtspSettings } from './rtsp/settings.js';
import type { ClosedEarly } from './sessions.js';
import { Streams, type StreamTimes } from './streams.js';
import { Viewers, type ViewerTcp } from './viewers.js';

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
  /** What of sessions of RTSP is to be other than usual; a user agent that is null is Weir with its version. */
  readonly rtsp?: Partial<Omit<RtspSettings, 'userAgent'>> & { readonly userAgent?: string | null };
};

/** How sessions of RTSP are had unless said. */
const usualRtsp: RtspSettings = {
  userAgent: `Weir/${version}`,
  transport: 'auto',
  nat: 'auto',
  ports: { least: 10_000, most: 19_999 },
  ownPorts: [],
  planAgain: () => Promise.resolve(null),
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
  readonly #streams: Streams;
  readonly #viewers: Viewers;
  readonly #sessions: RtspSessions;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#viewers = new Viewers(options);
    this.#pumps = new Pumps({
      dir: options.dir,
      log: options.log,
      onHello: (link, hello, before) => this.#adopt(link, hello, before),
      onEvent: (event) => this.#event(event),
      onGone: (link) => this.#lost(link),
    });
    const settings = { ...usualRtsp, ...options.rtsp, userAgent: options.rtsp?.userAgent ?? usualRtsp.userAgent };
    this.#sessions = new RtspSessions({ log: options.log, streams: options.streams, settings });
    this.#streams = new Streams(this.#pumps, options.streams);
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
    this.#viewers.admit();
    const upstream = this.#on(request.upstream);
    const early = await this.#attach(upstream, request);
    if (early === null) return;
    // The stream ended between its opening and the hand-over: it is opened once more.
    const again = early.reason === 'no-stream' ? await this.#attach(upstream, request) : early;
    if (again !== null) throw explainClosed(again, upstream, this.#options.streams.no_signal);
  }

  describe(upstream: RtspUpstream, how: Pick<WatchRequest, 'userAgent' | 'inner'>): Promise<Described> {
    return describeUpstream(upstream, how, this.#sessions.settings);
  }

  async streams(): Promise<StreamStatus[]> {
    return (await this.#streams.stats()).streams;
  }

  stream(id: string): Promise<StreamDetail | null> {
    return this.#streams.detail(id);
  }

  async viewers(): Promise<ViewerStatus[]> {
    return (await this.#streams.stats()).viewers;
  }

  closeStream(id: string): Promise<boolean> {
    return this.#streams.end('close', { stream: id, reason: 'dismissed' });
  }

  closeViewer(id: string): Promise<boolean> {
    return this.#streams.end('dismiss', { viewer: id, reason: 'dismissed' });
  }

  /** Groups are received on the interface that is set for all; where connections go is for the routes to say. */
  #on(upstream: Upstream): Upstream {
    return upstream.kind === 'rtsp'
      ? upstream
      : { ...upstream, interface: upstream.interface ?? this.#options.interface };
  }

  /** Opens the stream and hands the client over. Null once it is live, else why it was closed before. */
  async #attach(upstream: Upstream, request: WatchRequest): Promise<ClosedEarly | null> {
    const link = await this.#pumps.current();
    if (upstream.kind === 'rtsp') return await this.#attachToSession(link, upstream, request);
    const stream = await this.#streams.open(link, upstream, request.membershipRefresh);
    return await this.#viewers.attach(link, stream, request);
  }

  /** The client waits on the stream while its session is opened. @throws WeirError why there is none. */
  async #attachToSession(link: PumpLink, upstream: RtspUpstream, request: WatchRequest): Promise<ClosedEarly | null> {
    const stream = await this.#sessions.open(link, upstream, request);
    const early = await this.#viewers.attach(link, stream.id, request);
    if (early !== null && stream.failure !== null) throw stream.failure;
    return early;
  }

  /** Takes over what the pump already has; whoever was there before and is not in it has gone meanwhile. */
  #adopt(link: PumpLink, { rows }: Reply, before: PumpLink | null): void {
    const viewers = this.#viewers.adopt(link, rows);
    if (viewers > 0) this.#options.log.info({ viewers }, 'viewers go on');
    this.#sessions.adopt(link, rows, before);
    if (before !== null) this.#viewers.lost(before);
  }

  #lost(link: PumpLink): void {
    this.#viewers.lost(link);
    this.#sessions.lost(link);
  }

  #event(event: Frame): void {
    const { log } = this.#options;
    const isOfSession = this.#sessions.event(event);
    if (event.name === 'live') this.#viewers.live(event);
    else if (event.name === 'closed') this.#viewers.closed(event);
    else if (isOfSession) return;
    else if (event.name === 'ended')
      log.debug({ stream: text(event, 'stream'), reason: text(event, 'reason') }, 'stream ended');
    else if (event.name === 'silent') log.warn({ stream: text(event, 'stream') }, 'stream is silent, joined again');
    else if (event.name === 'resumed') log.info({ stream: text(event, 'stream') }, 'stream is back');
  }
}
