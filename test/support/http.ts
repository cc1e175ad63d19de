import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { TsReader } from './ts-reader.js';
import { until } from './until.js';

export type RequestOptions = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** Our address, as the server sees it. */
  readonly from?: string;
};

/** A whole answer. */
export type Answer = { readonly status: number; readonly headers: Map<string, string>; readonly body: string };

/**
 * One request on a TCP connection of its own, written and read byte by byte: what goes over the wire is what is written
 * here, and a viewer that stops reading really stops.
 */
export class Viewer {
  /** 0 until the head of the answer has come. */
  status = 0;
  readonly headers = new Map<string, string>();
  /** What came of the body when the status is 200 and it is a stream. */
  readonly ts = new TsReader();
  /** The first 4 KiB or so of the body, as they came. */
  firstBytes = Buffer.alloc(0);
  /** The body of any other answer. */
  body = '';
  /** Why the connection ended, or null while it stands. */
  ended: 'end' | 'reset' | null = null;
  /** Milliseconds from the request to the first body byte. */
  firstByteAfter: number | null = null;

  readonly #socket: Socket;
  readonly #asked = performance.now();
  #head: Buffer | null = Buffer.alloc(0);

  constructor(base: string, path: string, options: RequestOptions = {}) {
    const { hostname, port, host } = new URL(base);
    const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
    this.#socket = connect(options.from === undefined ? target : { ...target, localAddress: options.from });
    const headers = Object.entries({ Host: host, ...options.headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`${options.method ?? 'GET'} ${path} HTTP/1.1\r\n${headers.join('')}\r\n`);
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('end', () => this.#end('end'));
    this.#socket.on('error', () => this.#end('reset'));
  }

  /** Waits for the head of the answer; a stream's first bytes come with it. */
  async answered(within = 8_000): Promise<this> {
    await until('an answer', () => this.status !== 0 || this.ended !== null, { within });
    return this;
  }

  /** Waits until this many media packets more have come. */
  async received(packets: number, within = 8_000): Promise<this> {
    const wanted = (this.ts.perPid.get(0x100) ?? 0) + packets;
    await until(`${packets} more packets`, () => (this.ts.perPid.get(0x100) ?? 0) >= wanted, { within });
    return this;
  }

  /** Waits until the server has closed the connection. */
  async closed(within = 8_000): Promise<this> {
    await until('the server to close', () => this.ended !== null, { within });
    return this;
  }

  /** Reads nothing more: the kernel's buffers fill, then the sender's. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Reads nothing for a while. */
  async stall(milliseconds: number): Promise<void> {
    this.pause();
    await pause(milliseconds);
    this.resume();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Breaks the connection off: the server sees an error, not an end. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  #take(chunk: Buffer): void {
    if (this.#head === null) {
      this.#body(chunk);
      return;
    }
    this.#head = Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const rest = this.#head.subarray(end + 4);
    const [first = '', ...lines] = this.#head.toString('latin1', 0, end).split('\r\n');
    for (const line of lines)
      this.headers.set(line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim());
    this.status = Number(first.split(' ')[1]);
    this.#head = null;
    if (rest.length > 0) this.#body(rest);
  }

  #body(chunk: Buffer): void {
    this.firstByteAfter ??= performance.now() - this.#asked;
    if (this.firstBytes.length < 4096) this.firstBytes = Buffer.concat([this.firstBytes, chunk.subarray(0, 4096)]);
    if (this.headers.get('content-type') === 'video/mp2t') this.ts.push(chunk);
    else this.body += chunk.toString('utf8');
  }

  #end(how: 'end' | 'reset'): void {
    this.ended ??= how;
    this.#socket.destroy();
  }
}

type Owner = { after(undo: () => void): void };

/** Opens a stream and waits for its head. It is closed with its owner. */
export async function watch(owner: Owner, base: string, path: string, options: RequestOptions = {}): Promise<Viewer> {
  const viewer = new Viewer(base, path, options);
  owner.after(() => viewer.close());
  return await viewer.answered();
}

/** A request whose answer ends: the connection is asked to close after it. */
export async function ask(base: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const viewer = new Viewer(base, path, { ...options, headers: { Connection: 'close', ...options.headers } });
  try {
    await viewer.closed(12_000);
  } finally {
    viewer.close();
  }
  if (viewer.status === 0) throw new Error(`${path} was not answered: the connection was closed (${viewer.ended})`);
  const { status, headers, body } = viewer;
  return { status, headers, body };
}
