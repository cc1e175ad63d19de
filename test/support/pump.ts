import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { protocol, pumpPrefix } from '../../src/relay/pump-process.js';
import { Control } from './control.js';
import { makeTempDir } from './temp.js';
import { until } from './until.js';

type Handoff = {
  connect(path: string): number;
  send(socket: number, message: string, descriptor: number): boolean;
  close(socket: number): void;
};

const built = fileURLToPath(new URL('../../../native/build/', import.meta.url));
const handoff = createRequire(import.meta.url)(join(built, 'handoff.node')) as Handoff;
/** How long a stream of these tests lingers and may be silent, in milliseconds. */
const patience = { linger: '300', silence: '2000', rejoin: '1000' };

export type PumpOptions = {
  readonly program?: string;
  /** The protocol that the program was built for; Weir's own unless said. */
  readonly version?: number;
  readonly dir?: string;
  /** Seconds after which it ends when left alone. */
  readonly alone?: number;
};

type Owner = { after(undo: () => void | Promise<void>): void };

/** A real pump without Node's half: a test is its controller, and every TCP connection to `url` becomes a viewer. */
export class Pump {
  readonly dir: string;
  readonly version: number;
  url = '';
  readonly #child: ChildProcess;
  readonly #front: Server;
  readonly #sockets = new Set<Socket>();
  #fds: number | null = null;
  #viewers = 0;

  constructor(dir: string, { program = join(built, 'weir-pump'), version = protocol, alone = 60 }: PumpOptions) {
    this.dir = dir;
    this.version = version;
    this.#child = spawn(program, ['--dir', dir, '--alone', String(alone)], { stdio: 'inherit' });
    this.#front = createServer((socket) => this.#accept(socket));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  async start(): Promise<void> {
    const probe = await until('the pump to listen', () => this.connect());
    probe.close();
    this.#front.listen(0, '127.0.0.1');
    await once(this.#front, 'listening');
    this.url = `http://127.0.0.1:${(this.#front.address() as AddressInfo).port}`;
  }

  /** One more connection to its stream socket. */
  async connect(): Promise<Control> {
    return await Control.open(`${pumpPrefix(this.dir, this.version)}.sock`);
  }

  /** A connection that has said hello. */
  async control(): Promise<Control> {
    const control = await this.connect();
    await control.request('hello', { version: String(this.version) });
    return control;
  }

  /** Opens a stream of that name on a control connection. */
  async open(control: Control, stream: string, address: string, port: number): Promise<void> {
    const frames = await control.request('open', { stream, kind: 'rtp', address, port: String(port), ...patience });
    if (frames.at(-1)?.name !== 'ok') throw new Error(`open was refused: ${JSON.stringify(frames)}`);
  }

  /** Sends a message with a descriptor, as it stands. */
  handOver(message: string, descriptor: number): void {
    this.#fds ??= handoff.connect(`${pumpPrefix(this.dir, this.version)}.fds`);
    handoff.send(this.#fds, message, descriptor);
  }

  async destroy(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#front.close();
    if (this.#fds !== null) handoff.close(this.#fds);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  /** `GET /NAME` makes the client a viewer of the stream NAME. */
  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('data', (request) => {
      socket.pause();
      const stream = request.toString('latin1').split(' ')[1]?.slice(1) ?? '';
      const head = 'HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\n\r\n';
      const viewer = `viewer-${++this.#viewers}`;
      const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
      this.handOver(`attach?${new URLSearchParams({ viewer, stream, head, note: '' })}`, fd);
      // The pump has its own copy once the message is sent; this one would keep the connection open.
      socket.destroy();
    });
    socket.on('error', () => undefined);
  }
}

/** Starts a pump that ends with its owner. */
export async function startPump(owner: Owner, options: PumpOptions = {}): Promise<Pump> {
  const home = makeTempDir();
  const pump = new Pump(options.dir ?? home.path, options);
  owner.after(async () => {
    await pump.destroy();
    home.remove();
  });
  await pump.start();
  return pump;
}
