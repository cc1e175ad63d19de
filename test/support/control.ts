import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from './until.js';

export type Frame = {
  readonly name: string;
  /** Of the request that it answers; null on an event. */
  readonly id: string | null;
  readonly values: ReadonlyMap<string, string>;
};

/** A raw client of the pump's stream socket (see `native/README.md`, "The wire"). */
export class Control {
  /** Frames without an id. */
  readonly events: Frame[] = [];
  closed = false;
  readonly #socket: Socket;
  readonly #replies: Frame[] = [];
  #rest = '';
  #asked = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.closed = true;
    });
  }

  /** @throws when nobody listens there. */
  static async open(path: string): Promise<Control> {
    const socket = connect(path);
    await once(socket, 'connect');
    return new Control(socket);
  }

  /** Writes bytes as they are. */
  write(bytes: Buffer | string): void {
    this.#socket.write(bytes);
  }

  /** Sends a request and returns its frames, the last one `ok` or `error`. */
  async request(name: string, values: Record<string, string> = {}): Promise<Frame[]> {
    const id = String(++this.#asked);
    this.write(`${name}?${new URLSearchParams({ id, ...values })}\n`);
    const mine = () => this.#replies.filter((frame) => frame.id === id);
    await until(`the reply to ${name}`, () => this.closed || mine().some(isLast));
    if (!mine().some(isLast)) throw new Error(`${name} was not answered: the connection was closed`);
    return mine();
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const frame of lines.map(parseFrame)) (frame.id === null ? this.events : this.#replies).push(frame);
  }
}

export function parseFrame(line: string): Frame {
  const [name = '', query = ''] = line.split('?', 2);
  const values = new Map(new URLSearchParams(query));
  return { name, id: values.get('id') ?? null, values };
}

function isLast({ name }: Frame): boolean {
  return name === 'ok' || name === 'error';
}
