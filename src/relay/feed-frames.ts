import { randomBytes } from 'node:crypto';
import { WeirError } from '../lib/errors.js';
import { type Frame, formatFrame, maxFrame, number, text } from './frame.js';
import { type PumpLink, PumpRefusal } from './pump-link.js';

/** What the pump is told of a connection that it takes media from (native/README.md). */
export type FeedCard = {
  /** Number of the next request. */
  readonly cseq: number;
  /** Said whenever the feed or its stream ends; without CSeq and empty line. */
  readonly farewell: string;
  /** What was read of the connection already. */
  readonly read: Buffer;
  /** Becomes the note of the stream. */
  readonly note: string;
  readonly way:
    | { readonly kind: 'tcp'; readonly media: number; readonly control: number | null }
    | { readonly kind: 'udp'; readonly from: readonly string[]; readonly rtp: number; readonly rtcp: number };
};

export type PunchOrder = {
  readonly socket: 'rtp' | 'rtcp';
  readonly address: string;
  readonly port: number;
  readonly data: Buffer;
  readonly times: number;
  /** Milliseconds, 0 for once. */
  readonly every: number;
};

/** Bytes of a note that the pump keeps. */
const mostNote = 4096;
/** Milliseconds. */
const takePatience = 5000;

/** Who is told what the pump says of feeds, by their ids. */
export class FeedEvents {
  readonly #listeners = new Map<string, (event: Frame) => void>();

  on(feed: string, listener: (event: Frame) => void): void {
    this.#listeners.set(feed, listener);
  }

  off(feed: string): void {
    this.#listeners.delete(feed);
  }

  emit(event: Frame): void {
    this.#listeners.get(text(event, 'feed'))?.(event);
  }
}

/** One feed of a stream, as it is spoken of with the pump. */
export class FeedWire {
  readonly feed: string;
  readonly stream: string;
  readonly #link: PumpLink;
  readonly #events: FeedEvents;
  readonly #waiting = new Set<(event: Frame) => void>();
  /** Called with each event of the feed, until `close`. */
  listener: (event: Frame) => void = () => {};

  /** `feed` is the id of one that the pump has already. */
  constructor(link: PumpLink, stream: string, events: FeedEvents, feed = randomBytes(6).toString('hex')) {
    this.#link = link;
    this.#events = events;
    this.stream = stream;
    this.feed = feed;
    events.on(feed, (event) => {
      for (const waiting of this.#waiting) waiting(event);
      this.listener(event);
    });
  }

  /**
   * Hands the connection over. Resolves when the pump has it; until then nothing was written.
   * @throws WeirError `invalid` when it does not fit into a message, `unavailable` when the pump does not take it.
   */
  async hand(card: FeedCard, descriptor: number): Promise<void> {
    const values = { ...this.#names(), ...valuesOf(card) };
    if (Buffer.byteLength(card.note) > mostNote || formatFrame('feed', values).length >= maxFrame) {
      throw new WeirError('invalid', 'The address is too long: with what the server adds to it, it does not fit.');
    }
    const taken = this.next(['taken', 'refused'], takePatience);
    if (!this.#link.hand('feed', values, descriptor)) {
      throw new WeirError('unavailable', 'The pump is too busy to take another session now.', { retryAfter: 1 });
    }
    const event = await taken;
    if (event?.name === 'taken') return;
    throw new WeirError(
      'unavailable',
      `The pump did not take the session: ${event === null ? 'late' : text(event, 'reason')}.`,
      {
        retryAfter: 1,
      },
    );
  }

  /** Says a request. Resolves with its CSeq. */
  async say(request: string): Promise<number> {
    return number((await this.#request('say', { text: request })).end, 'cseq');
  }

  /** Says a message as it stands. */
  async answer(message: string): Promise<void> {
    await this.#request('say', { text: message, raw: 1 });
  }

  /** `every` in milliseconds. */
  async keep(request: string, every: number): Promise<void> {
    await this.#request('keep', { text: request, every });
  }

  async note(note: string): Promise<void> {
    await this.#link.request('note', { stream: this.stream, note });
  }

  /** Binds two UDP sockets of this machine between two ports. */
  async pair(local: string, name: string | null, least: number, most: number): Promise<{ rtp: number; rtcp: number }> {
    const { end } = await this.#request('pair', { local, interface: name, least, most });
    return { rtp: number(end, 'rtp'), rtcp: number(end, 'rtcp') };
  }

  async punch({ data, ...order }: PunchOrder): Promise<void> {
    await this.#request('punch', { ...order, data: data.toString('base64url') });
  }

  /** Ends the feed alone. Resolves when its farewell is over, or after so many milliseconds; true when it was written. */
  async part(within: number): Promise<boolean> {
    const parted = this.next(['parted'], within);
    try {
      await this.#request('part', {});
    } catch (error) {
      if (!(error instanceof PumpRefusal)) throw error;
      return false;
    }
    const event = await parted;
    return event === null || text(event, 'written') === '1';
  }

  /** The next event of one of these names; null when there is none within so many milliseconds. The listener gets it too. */
  next(names: readonly string[], within: number): Promise<Frame | null> {
    return new Promise((resolve) => {
      const settle = (event: Frame | null) => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(event);
      };
      const timer = setTimeout(() => settle(null), within);
      const waiting = (event: Frame) => {
        if (names.includes(event.name)) settle(event);
      };
      this.#waiting.add(waiting);
    });
  }

  /** Nothing more is heard of it. */
  close(): void {
    this.#events.off(this.feed);
  }

  #names() {
    return { stream: this.stream, feed: this.feed };
  }

  #request(name: string, values: Record<string, string | number | null>) {
    return this.#link.request(name, { ...this.#names(), ...values });
  }
}

function valuesOf({ cseq, farewell, read, note, way }: FeedCard): Record<string, string | number | null> {
  const common = {
    kind: 'rtsp',
    way: way.kind,
    cseq,
    farewell,
    note,
    read: read.length === 0 ? null : read.toString('base64url'),
  };
  if (way.kind === 'tcp') return { ...common, media: way.media, control: way.control };
  return { ...common, from: way.from.join(','), rtp: way.rtp, rtcp: way.rtcp };
}
