import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until } from './until.js';

type Owner = { after(undo: () => void | Promise<void>): void };

/** `python3` alone may be one that knows nothing of the system's packages. */
export const python = '/usr/bin/python3';
const program = fileURLToPath(new URL('../../../test/support/gst-rtsp.py', import.meta.url));

/** A server of gst-rtsp-server that plays one recording, from its beginning to whom comes first. */
export class GstRtsp {
  readonly url: string;
  /** What it said: `client-connected`, `describe-request`, `setup-request`, `play-request`, `teardown-request`, `closed`. */
  readonly facts: string[] = [];
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `rtsp://127.0.0.1:${port}/live`;
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      this.facts.push(...lines);
    });
  }

  /** How often it was asked for something, or a client came. */
  count(fact: string): number {
    return this.facts.filter((line) => line.startsWith(fact)).length;
  }

  async ready(): Promise<void> {
    await until('gst-rtsp-server to be ready', () => this.facts.includes('ready'), { within: 20_000 });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}

/** Starts one that ends with its owner. @param way the only one that it takes */
export async function startGstRtsp(owner: Owner, recording: string, way: 'tcp' | 'udp'): Promise<GstRtsp> {
  const port = await freePort();
  const child = spawn(python, [program, recording, `${port}`, way], { stdio: ['ignore', 'pipe', 'inherit'] });
  const server = new GstRtsp(child, port);
  owner.after(() => server.stop());
  await server.ready();
  return server;
}

/** A port of loopback that nobody has at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
