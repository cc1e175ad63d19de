import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import type { WatchRequest } from './contract.js';
import { handleOf } from './descriptor.js';
import { type Frame, number, text } from './frame.js';
import type { PumpLink } from './pump-link.js';
import { type ClosedEarly, Sessions } from './sessions.js';
import { formatNote } from './status.js';

/** How TCP treats viewers; null leaves it to the kernel, and so does what it does not know. */
export type ViewerTcp = {
  /** Name of a congestion control (TCP_CONGESTION, tcp(7)). */
  readonly congestion: string | null;
  /** KiB that the kernel takes at most before it has sent them (TCP_NOTSENT_LOWAT). */
  readonly unsent_kb: number | null;
};

export type ViewersOptions = {
  readonly log: Log;
  /** How many there may be. */
  readonly viewers: number;
  readonly viewerTcp: ViewerTcp;
};

/** Hands clients to pumps, and knows who has been handed over. */
export class Viewers {
  readonly #options: ViewersOptions;
  readonly #sessions = new Sessions();
  /** What every hand-over says of TCP. */
  readonly #tcp: { readonly congestion: string | null; readonly unsent: number | null };

  constructor(options: ViewersOptions) {
    const { congestion, unsent_kb: unsent } = options.viewerTcp;
    this.#options = options;
    this.#tcp = { congestion, unsent: unsent === null ? null : unsent * 1024 };
  }

  /** @throws WeirError `limit-reached` when there is no place for one more. */
  admit(): void {
    const { viewers } = this.#options;
    if (this.#sessions.size < viewers) return;
    throw new WeirError('limit-reached', `All ${viewers} places are taken.`, { retryAfter: 5 });
  }

  /** Hands the client of an open stream over. Null once it is live, else why it was closed before. */
  async attach(link: PumpLink, stream: string, request: WatchRequest): Promise<ClosedEarly | null> {
    // Others may have come while the stream was being opened.
    this.admit();
    const handle = handleOf(request.socket);
    if (handle === null) throw new WeirError('unavailable', 'The client has gone.');
    const viewer = randomBytes(6).toString('hex');
    // From here on the pump hears of what the client does.
    handle.readStop();
    const values = { viewer, stream, note: formatNote(request.note), head: request.head, ...this.#tcp };
    const outcome = this.#settled(viewer, link, request.socket);
    if (!link.hand('attach', values, handle.fd)) {
      this.#sessions.closed(viewer, nothingSeen('unavailable'));
    }
    const early = await outcome;
    if (early !== null) handleOf(request.socket)?.readStart();
    return early;
  }

  /** Takes over those that a pump already has. Returns how many they are. */
  adopt(link: PumpLink, rows: readonly Frame[]): number {
    const viewers = rows.filter((row) => row.name === 'viewer');
    for (const viewer of viewers) {
      const id = text(viewer, 'viewer');
      if (number(viewer, 'bytes') > 0) this.#sessions.live(id);
      this.#sessions.add({ id, link, waiting: this.#sessions.get(id)?.waiting ?? null });
    }
    return viewers.length;
  }

  /** The pump sent one its first media byte. */
  live(event: Frame): void {
    this.#sessions.live(text(event, 'viewer'));
  }

  /** The pump closed one. */
  closed(event: Frame): void {
    const early = {
      reason: text(event, 'reason'),
      saw: text(event, 'saw'),
      interface: text(event, 'interface'),
      sender: text(event, 'sender'),
      strays: number(event, 'strays'),
    };
    const fields = { bytes: number(event, 'sent'), seconds: Math.round(number(event, 'uptime') / 1000) };
    this.#report(text(event, 'viewer'), early, fields);
  }

  /** Whoever watched through a pump that is gone is gone with it. */
  lost(link: PumpLink): void {
    for (const { id } of this.#sessions.of(link)) this.#report(id, nothingSeen('pump-gone'), {});
  }

  #settled(viewer: string, link: PumpLink, socket: Socket): Promise<ClosedEarly | null> {
    return new Promise((settle) => {
      const waiting = { socket, resolve: () => settle(null), reject: (early: ClosedEarly) => settle(early) };
      this.#sessions.add({ id: viewer, link, waiting });
    });
  }

  #report(viewer: string, early: ClosedEarly, fields: Record<string, number>): void {
    if (this.#sessions.closed(viewer, early)) {
      this.#options.log.info({ viewer, reason: early.reason, ...fields }, 'viewer closed');
    }
  }
}

function nothingSeen(reason: string): ClosedEarly {
  return { reason, saw: '', interface: '', sender: '', strays: 0 };
}
