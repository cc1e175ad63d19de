import type { Programme } from './programme.js';
import { RtpMaker } from './rtp.js';
import type { Writable } from './state.js';

/** Where media goes. `send` says whether there is room for more; when not, `drained` is called once there is. */
export type Way = {
  send(socket: 'rtp' | 'rtcp', data: Buffer): boolean;
  drained(then: () => void): void;
};

export type FlowOptions = {
  /** Tells the media of one session from another's. */
  readonly tag: number;
  readonly programme: Programme;
  /** Packets of TS a second of the programme. */
  readonly rate: number;
  /** Seconds of the programme that are sent in one. */
  readonly speed: number;
  /** Packets after which there is no more; never when null. */
  readonly most: number | null;
  /** Packets after which it falls silent without a word. */
  readonly silentAfter: number | null;
  readonly bare: boolean;
  readonly ended: () => void;
};

const tick = 10;
const perDatagram = 7;
/** It catches up with no more than this after it was held up, in milliseconds. */
const patience = 1000;

/** The media of one session, at its pace, from `start` to `stop`. */
export class Flow {
  readonly #options: FlowOptions;
  readonly #way: Way;
  readonly #count: Writable<{ sent: number }>;
  readonly #rtp: RtpMaker;
  #timer: NodeJS.Timeout | null = null;
  #at = 0;
  /** Packets that may be sent by now. */
  #due = 0;
  #blocked = false;
  #reported = 0;

  constructor(options: FlowOptions, way: Way, count: Writable<{ sent: number }>) {
    this.#options = options;
    this.#way = way;
    this.#count = count;
    this.#rtp = new RtpMaker(0x57450000 + options.tag);
  }

  get ssrc(): number {
    return this.#rtp.ssrc;
  }

  start(): void {
    if (this.#timer !== null) return;
    this.#at = performance.now();
    this.#timer = setInterval(() => this.#turn(), tick);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    // What was held up is not sent either.
    this.#blocked = true;
  }

  /** The next datagram, counted as sent. */
  next(): Buffer {
    const { programme, bare } = this.#options;
    const packets = Array.from({ length: perDatagram }, () => programme.next());
    this.#count.sent += perDatagram;
    const payload = Buffer.concat(packets);
    return bare ? payload : this.#rtp.wrap(payload, programme.clock());
  }

  bye(): void {
    this.#way.send('rtcp', this.#rtp.bye(this.#options.programme.clock()));
  }

  #turn(): void {
    const now = performance.now();
    const { rate, speed, most, silentAfter } = this.#options;
    const pace = (rate * speed) / 1000;
    this.#due = Math.min(this.#due + (now - this.#at) * pace, patience * pace);
    this.#at = now;
    while (!this.#blocked && this.#due >= perDatagram) {
      if (silentAfter !== null && this.#count.sent >= silentAfter) return;
      if (most !== null && this.#count.sent >= most) {
        this.stop();
        this.#options.ended();
        return;
      }
      this.#due -= perDatagram;
      this.#send();
    }
  }

  #send(): void {
    const room = this.#way.send('rtp', this.next());
    if (this.#reported <= this.#count.sent && !this.#options.bare) {
      this.#reported = this.#count.sent + this.#options.rate;
      this.#way.send('rtcp', this.#rtp.report(this.#options.programme.clock()));
    }
    if (room) return;
    this.#blocked = true;
    this.#way.drained(() => {
      this.#blocked = this.#timer === null;
    });
  }
}
