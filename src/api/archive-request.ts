import { now } from '../lib/clock.js';
import { WeirError } from '../lib/errors.js';
import { type ChannelCatchup, carried, type Wish } from '../model/archive.js';
import type { Headers } from '../model/entry.js';
import type { RtspUpstream } from '../model/stream.js';
import { parseUpstreamUrl } from '../model/upstream.js';
import { type PlannedArchive, planArchive } from '../relay/catchup/plan.js';
import { readWish } from '../relay/catchup/spellings.js';
import { askedOf, clientOf } from './client.js';
import type { Context } from './context.js';
import type { ApiOptions } from './options.js';
import type { Watched } from './routes/live.js';

/** Milliseconds in which the same client's requests are reported once, and how many clients are remembered. */
const period = 60_000;
const remembered = 1000;

type Parts = Pick<ApiOptions, 'catchups' | 'guideReads' | 'clock' | 'innerUpstreams' | 'log'>;

/** Requests for what is past of channels. */
export class ArchiveRequests {
  readonly #parts: Parts;
  /** When requests of a client that were no wish were reported last, the oldest first. */
  readonly #reported = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What a request asks of the past, null when it asks for live. @throws WeirError `invalid`. */
  wishOf(ctx: Context): Wish | null {
    const userAgent = ctx.get('User-Agent');
    try {
      return readWish(ctx.querystring, { now: now(), zone: this.#parts.clock, userAgent });
    } catch (error) {
      if (error instanceof WeirError) this.#report(ctx, userAgent, error.message);
      throw error;
    }
  }

  /**
   * How a part of a channel's past is to be received; asks nobody outside.
   * @throws WeirError `not-found` without an archive; `unavailable` when it cannot be asked for.
   */
  async watched(ctx: Context, channel: number, wish: Wish): Promise<Watched> {
    const { catchups, innerUpstreams: inner } = this.#parts;
    const catchup = await catchups.of(channel);
    if (catchup === null) throw new WeirError('not-found', 'This channel has no archive. Ask for it without a time.');
    const openEnd = wish.end === null ? await this.#onAirUntil(channel) : null;
    const plan = (part: Wish) => this.#plan(catchup, part, openEnd);
    const { url, headers, range } = plan(wish);
    return {
      id: channel,
      upstream: receivedFrom(url, catchup),
      membershipRefresh: null,
      userAgent: userAgentIn(headers),
      sessions: catchup.sessions,
      inner,
      archive: {
        ...{ wish, range, client: clientOf(ctx), asked: askedOf(ctx) },
        from: (seconds) => plan({ ...wish, start: wish.start + seconds }),
      },
    };
  }

  #plan(catchup: ChannelCatchup, wish: Wish, openEnd: number | null): PlannedArchive {
    const plan = planArchive(catchup, wish, { now: now(), openEnd, household: this.#parts.clock });
    if (!('problem' in plan)) return plan;
    throw new WeirError('unavailable', `The archive of this channel cannot be asked for. ${plan.problem}`);
  }

  /** When what is on now ends, by our guide. */
  async #onAirUntil(channel: number): Promise<number | null> {
    const [shown] = await this.#parts.guideReads.now([channel], now(), 0);
    return shown?.now?.stop ?? null;
  }

  #report(ctx: Context, userAgent: string, why: string): void {
    const client = clientOf(ctx);
    const at = performance.now();
    if (at - (this.#reported.get(client) ?? Number.NEGATIVE_INFINITY) < period) return;
    this.#reported.delete(client);
    this.#reported.set(client, at);
    for (const oldest of this.#reported.keys()) {
      if (this.#reported.size <= remembered) break;
      this.#reported.delete(oldest);
    }
    this.#parts.log.warn({ userAgent: userAgent.slice(0, 200), peer: ctx.state.peer, why }, 'no time of an archive');
  }
}

/** What the server is to be told that we are, as the list has it; null when it says nothing. */
export function userAgentIn(headers: Headers): string | null {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'user-agent');
  return found === undefined || found[1] === '' ? null : found[1];
}

function receivedFrom(url: string, catchup: ChannelCatchup): RtspUpstream {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  if (scheme !== 'rtsp' || !carried.has(scheme)) {
    throw new WeirError('unavailable', `This archive is reached by ${scheme}, which Weir cannot carry yet.`);
  }
  const parsed = parseUpstreamUrl(url);
  if (parsed === null || 'problem' in parsed || parsed.upstream.kind !== 'rtsp') {
    throw new WeirError('unavailable', 'The template of this channel gives no address of RTSP. Look at it by the API.');
  }
  return { ...parsed.upstream, interface: catchup.interface };
}
