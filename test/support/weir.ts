import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StreamStatus } from '../../src/model/stream.js';
import type { ViewerStatus } from '../../src/model/viewer.js';
import { protocol, pumpPrefix } from '../../src/relay/pump-process.js';
import { ask } from './http.js';
import { processes, running } from './proc.js';
import { makeTempDir } from './temp.js';
import { until } from './until.js';

const program = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
/** The key for the REST API that every weir here accepts. */
export const adminKey = 'test-admin-key-0123456789-abcdefghij';

export type WeirOptions = {
  /** More arguments of `weir serve`. */
  readonly args?: readonly string[];
  /** Variables such as WEIR_STREAMS_LINGER, over the defaults of these tests: linger 0.5 s. */
  readonly env?: Readonly<Record<string, string>>;
  /** The text of a list to publish. */
  readonly playlist?: string;
  /** Start it as `prefix… node … serve`: setpriv, prlimit. */
  readonly prefix?: readonly string[];
  /** A data directory that the test made itself. */
  readonly data?: string;
};

type Owner = { after(undo: () => void | Promise<void>): void };
export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A real `weir serve` with a data directory of its own on a port of loopback. */
export class Weir {
  readonly data: string;
  /** Everything it has logged, over all its starts. */
  log = '';
  url = '';
  readonly #options: WeirOptions;
  readonly #args: string[];
  #child: ChildProcess | null = null;
  #listen = '127.0.0.1:0';

  constructor(data: string, options: WeirOptions) {
    this.data = data;
    this.#options = options;
    const list = join(data, '..', `${data.split('/').at(-1)}.m3u`);
    if (options.playlist !== undefined) writeFileSync(list, options.playlist);
    this.#args = [...(options.playlist === undefined ? [] : ['--playlist', list]), ...(options.args ?? [])];
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts it, the second time on the port of the first, and waits until it listens. */
  async start(): Promise<void> {
    const seen = this.log.length;
    this.spawn();
    const ended = this.exited().then(({ code }): never => {
      throw new Error(`weir ended with ${code}: ${this.log.slice(seen)}`);
    });
    const listening = until('weir to listen', () => /listening.*\burl=(http:\/\/\S+)/.exec(this.log.slice(seen))?.[1], {
      within: 30_000,
    });
    this.url = await Promise.race([listening, ended]);
    this.#listen = new URL(this.url).host;
  }

  /** Starts it without waiting for anything. */
  spawn(): void {
    const env = { ...baseEnvironment(), WEIR_ADMIN_KEY_FILE: keyFile(this.data), ...this.#options.env };
    const serve = [program, 'serve', '--data', this.data, '--listen', this.#listen, ...this.#args];
    const [command = '', ...args] = [
      ...(this.#options.prefix ?? []),
      process.execPath,
      '--enable-source-maps',
      ...serve,
    ];
    const child = spawn(command, args, { env, stdio: ['ignore', 'inherit', 'pipe'] });
    child.stderr.on('data', (chunk: Buffer) => {
      this.log += chunk.toString('utf8');
    });
    this.#child = child;
  }

  /** Sends a signal and waits for the end of the process, not of the pump. */
  async signal(signal: NodeJS.Signals): Promise<Exit> {
    this.#child?.kill(signal);
    return await this.exited();
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async exited(): Promise<Exit> {
    const child = this.#child;
    if (child === null) throw new Error('weir was not started');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return { code: child.exitCode, signal: child.signalCode };
  }

  /** The pumps of this data directory. */
  pumps(): number[] {
    return processes('weir-pump', this.data);
  }

  async pump(): Promise<number> {
    return await until('one pump', () => {
      const [pid, ...more] = this.pumps();
      return more.length === 0 ? pid : undefined;
    });
  }

  /** GET of the REST API with the administrator's key, its answer read as JSON. */
  async api<T>(path: string): Promise<T> {
    const { status, body } = await ask(this.url, path, { headers: { Authorization: `Bearer ${adminKey}` } });
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
    return JSON.parse(body) as T;
  }

  async streams(): Promise<StreamStatus[]> {
    return (await this.api<{ items: StreamStatus[] }>('/api/v1/streams')).items;
  }

  async viewers(): Promise<ViewerStatus[]> {
    return (await this.api<{ items: ViewerStatus[] }>('/api/v1/viewers')).items;
  }

  /** The one stream that is open. */
  async stream(): Promise<StreamStatus> {
    const [stream, ...more] = await this.streams();
    if (stream === undefined || more.length > 0) throw new Error(`${more.length} streams more than one`);
    return stream;
  }

  async delete(path: string): Promise<number> {
    const headers = { Authorization: `Bearer ${adminKey}` };
    return (await ask(this.url, path, { method: 'DELETE', headers })).status;
  }

  /** Waits for a line of the log that matches. */
  async logged(pattern: RegExp, within = 5_000): Promise<RegExpExecArray> {
    return await until(`a log line ${pattern}`, () => pattern.exec(this.log), { within });
  }

  pumpLog(): string {
    return readFileSync(`${pumpPrefix(this.data, protocol)}.log`, 'utf8');
  }

  /** Ends both processes at once, whatever state they are in. */
  async destroy(): Promise<void> {
    if (this.#child !== null) await this.signal('SIGKILL');
    for (const pid of this.pumps()) process.kill(pid, 'SIGKILL');
    await until('the pumps to end', () => !this.pumps().some(running));
  }
}

/** Starts weir and ends it, and its pump, with the owner. */
export async function startWeir(owner: Owner, options: WeirOptions = {}): Promise<Weir> {
  const weir = makeWeir(owner, options);
  await weir.start();
  return weir;
}

/** The same without starting it. */
export function makeWeir(owner: Owner, options: WeirOptions = {}): Weir {
  const home = makeTempDir();
  const weir = new Weir(options.data ?? join(home.path, 'data'), options);
  owner.after(async () => {
    await weir.destroy();
    home.remove();
  });
  return weir;
}

/** Runs another command of the program, such as `key new`, on a data directory. */
export function runWeir(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env: baseEnvironment(),
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

/** The same while this process goes on, for instance to answer it. */
export async function runWeirAside(...args: string[]): Promise<ReturnType<typeof runWeir>> {
  const child = spawn(process.execPath, [program, ...args], { env: baseEnvironment() });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** The environment without what belongs to this test's own process. */
function baseEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(WEIR_|NODE_TEST_CONTEXT$)/.test(name));
  return { ...Object.fromEntries(kept), WEIR_STREAMS_LINGER: '0.5' };
}

function keyFile(data: string): string {
  const file = `${data}.key`;
  writeFileSync(file, `${adminKey}\n`, { mode: 0o600 });
  return file;
}
