import type { Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { type Answer, written } from './answer.js';
import { type Frame, type Message, Reader } from './message.js';
import { type Desk, lead, refuse, serve } from './methods.js';
import type { CarrierRequest } from './server.js';
import type { Session } from './session.js';

/** One connection of a client. */
export class Dialogue {
  readonly socket: Socket;
  readonly desk: Desk;
  /** Sessions that were set up here. */
  readonly sessions: Session[] = [];
  /** What OPTIONS was answered with. */
  session: string | null = null;
  /** Whether PLAY was answered. */
  played = false;
  readonly #number: number;
  readonly #reader = new Reader();
  /** Answers leave in the order of their requests. */
  #work: Promise<void> = Promise.resolve();
  #asked = 0;

  constructor(desk: Desk, socket: Socket, number: number) {
    this.desk = desk;
    this.socket = socket;
    this.#number = number;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const session of this.sessions) if (session.chosen.way === 'tcp') session.end('gone');
    });
  }

  get address(): string {
    return this.socket.remoteAddress ?? '';
  }

  /** Writes in one piece, or byte by byte while the carrier does that. */
  async write(bytes: Buffer): Promise<void> {
    if (!this.desk.state.has('q41') || this.played) {
      this.socket.write(bytes);
      return;
    }
    for (const byte of bytes) {
      if (this.socket.destroyed) return;
      this.socket.write(Buffer.from([byte]));
      await turn();
    }
  }

  /** Puts a request of the server's own, to be answered within 5 s where the carrier looks for that. */
  ask(method: string, session: Session, more: readonly string[]): void {
    if (this.socket.destroyed) return;
    const lines = [`CSeq: ${++this.#asked}`, `Session: ${session.card.id}`, ...more];
    this.socket.write(`${method} ${session.card.url} RTSP/1.0\r\n${lines.join('\r\n')}\r\n\r\n`);
  }

  #read(chunk: Buffer): void {
    for (const one of this.#reader.push(chunk)) {
      if ('channel' in one) this.#frame(one);
      else if (one.start.startsWith('RTSP/')) this.desk.answers.push(one.start);
      else this.#queue(one);
    }
  }

  #frame({ channel, data }: Frame): void {
    const isControl = this.sessions.some(({ chosen }) => chosen.way === 'tcp' && chosen.control === channel);
    this.desk.state.datagrams.push({ socket: isControl ? 'rtcp' : 'rtp', data });
  }

  #queue({ start, headers }: Message): void {
    const [method = '', url = ''] = start.split(' ');
    const request = { at: performance.now(), connection: this.#number, method, url, headers };
    this.desk.state.requests.push(request);
    this.#work = this.#work.then(() => this.#serve(request));
  }

  async #serve(request: CarrierRequest): Promise<void> {
    const { state } = this.desk;
    if (state.options.fault === 'mute') return;
    if (state.options.delay !== undefined) await pause(state.options.delay);
    const refused = refuse(this, request) ?? lead(this, request);
    if (refused !== null) await this.answer(request, refused);
    else await serve(this, request);
  }

  async answer(request: CarrierRequest, answer: Answer, behind: readonly Buffer[] = []): Promise<void> {
    const { cseq = '' } = request.headers;
    const text = written(this.desk.state, answer, cseq);
    await this.write(Buffer.concat([Buffer.from(text, 'latin1'), ...behind]));
  }
}
