import { createSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { Flow, type Way } from './media.js';
import { framed } from './message.js';
import type { ServerPair } from './pair.js';
import { numbered, recorded } from './programme.js';
import type { CarrierSession } from './server.js';
import type { State, Writable } from './state.js';
import type { Chosen } from './transport.js';

const stranger = '127.0.0.9';

/** What a session of one client needs of the connection that it was set up on. */
export type Line = {
  readonly socket: Socket;
  readonly address: string;
  /** Puts a request of the server's own. */
  ask(method: string, session: Session, more: readonly string[]): void;
};

/** A session, from SETUP on. */
export class Session {
  readonly card: Writable<CarrierSession>;
  readonly chosen: Chosen;
  readonly #state: State;
  readonly #line: Line;
  readonly #pair: ServerPair | null;
  /** Where its datagrams go: where it said, or where a punch came from. */
  readonly #to: { rtp: number; rtcp: number };
  #flow: Flow | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isOpen: boolean;

  constructor(state: State, line: Line, card: Writable<CarrierSession>, chosen: Chosen, pair: ServerPair | null) {
    this.#state = state;
    this.#line = line;
    this.card = card;
    this.chosen = chosen;
    this.#pair = pair;
    this.#to = chosen.way === 'udp' ? { rtp: chosen.rtp, rtcp: chosen.rtcp } : { rtp: 0, rtcp: 0 };
    this.#isOpen = !state.has('q34');
    pair?.rtp.on('message', (data, from) => this.#punched(data, from.port));
    this.keep();
  }

  /** It was heard of: its time begins again. */
  keep(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (!this.#state.has('q03') || this.card.end !== null) return;
    this.#timer = setTimeout(() => this.end('forgotten'), timeoutOf(this.#state) * 1000);
  }

  /** Makes the media that PLAY asks for; `start` sends them. */
  prepare(range: string | undefined): Flow {
    this.#flow?.stop();
    const { length, rate } = this.#state;
    const at = this.#state.options.position?.({ url: this.card.url, range: range ?? null }) ?? 0;
    const most = length === null ? null : Math.max(0, Math.round((length - at) * rate));
    const silent = this.#state.has('q46') && this.#state.first('silence');
    const tag = this.#state.sessions.indexOf(this.card) + 1;
    const { recording } = this.#state.options;
    const first = Math.round(at * rate);
    const options = {
      tag,
      programme: recording === undefined ? numbered({ tag, first, rate }) : recorded(recording),
      rate,
      speed: this.#state.options.speed ?? 1,
      most: most === null ? null : this.card.sent + most,
      silentAfter: silent ? this.card.sent + 2 * rate : null,
      bare: this.#state.has('q11'),
      ended: () => this.#finish(),
    };
    this.#flow = new Flow(options, this.#way(), this.card);
    return this.#flow;
  }

  start(): void {
    if (this.card.end === null) this.#flow?.start();
    if (this.#state.has('q47')) this.#disturb();
  }

  /** Ends it, once. */
  end(how: 'teardown' | 'gone' | 'forgotten'): void {
    if (this.card.end !== null) return;
    this.card.end = how;
    this.#flow?.stop();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#pair?.close();
    if (how === 'forgotten' && this.chosen.way === 'tcp') this.#line.socket.destroy();
  }

  /** No media is left: says so in its way. */
  #finish(): void {
    const { way } = this.chosen;
    if (this.#state.has('q37')) this.#line.ask('ANNOUNCE', this, ['x-notice: 2101 "End-of-Stream Reached"']);
    else if (this.#state.has('q48') || way === 'udp') this.#flow?.bye();
    else this.#line.socket.end();
  }

  #way(): Way {
    const { chosen } = this;
    if (chosen.way === 'udp') return { send: (socket, data) => this.datagram(socket, data), drained: () => undefined };
    const { socket } = this.#line;
    return {
      send: (kind, data) => {
        if (socket.destroyed) return true;
        if (kind === 'rtcp') return socket.write(framed(chosen.control, data));
        // Not before each: what is behind junk is known for a frame by the one that follows.
        if (this.#state.has('q49') && this.card.sent % 140 === 0) socket.write('junk, no frame\n');
        return this.#write(data);
      },
      drained: (then) => socket.once('drain', then),
    };
  }

  #write(data: Buffer): boolean {
    const { socket } = this.#line;
    const { fault } = this.#state.options;
    const media = this.chosen.way === 'tcp' ? this.chosen.media : 0;
    const frame = framed(fault === 'other-channel' ? media + 6 : media, data);
    if (fault !== 'cut' || this.card.sent < 50) return socket.write(frame);
    socket.end(frame.subarray(0, frame.length / 2));
    return true;
  }

  /** Sends one, where its media go to by now. */
  datagram(socket: 'rtp' | 'rtcp', data: Buffer): boolean {
    if (this.#isOpen && this.card.end === null) this.#pair?.[socket].send(data, this.#to[socket], this.#line.address);
    return true;
  }

  /** RTP comes from there, so it gets through to there. */
  #punched(data: Buffer, port: number): void {
    const isPunch = data.length === 84 && data.toString('latin1', 0, 8) === 'ZXV10STB';
    if (!isPunch && data.length !== 12) return;
    this.#isOpen = true;
    this.#to.rtp = port;
    if (!this.#state.has('q35')) return;
    for (let times = 0; times < 3; times += 1) this.#pair?.rtp.send(data, port, this.#line.address);
  }

  /** Somebody else sends RTP and noise to its ports. */
  #disturb(): void {
    const socket = createSocket('udp4');
    socket.on('error', () => undefined);
    socket.bind(0, stranger, () => {
      const noise = [Buffer.alloc(1328, 0x47), Buffer.from('804721210000000000000001', 'hex'), Buffer.from('noise')];
      const timer = setInterval(() => {
        for (const data of noise) socket.send(data, this.#to.rtp, this.#line.address);
        if (this.card.end === null) return;
        clearInterval(timer);
        socket.close();
      }, 50);
    });
  }
}

/** Seconds. */
export function timeoutOf(state: State): number {
  return state.has('q02') ? 6 : 60;
}

/** Frames of a session's media, as they go over its connection. */
export function frames(session: Session, count: number, next: () => Buffer): Buffer[] {
  const { chosen } = session;
  if (chosen.way === 'udp') return [];
  return Array.from({ length: count }, () => framed(chosen.media, next()));
}
