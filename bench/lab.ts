import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a command runs: `source` sends, `home` relays and watches. */
export type Place = 'source' | 'home';

/** Two network namespaces joined by a veth pair, and a directory: all of it goes with `close`, whatever still runs in it too. */
export type Lab = {
  /** The sender's address. */
  readonly sourceAddress: string;
  /** The interface on which the relay receives. */
  readonly interface: string;
  readonly directory: string;
  /** Starts a command whose output goes to a file of the lab; `child.pid` is the command's own. */
  start(place: Place, name: string, command: readonly string[]): ChildProcess;
  /**
   * Starts a command and settles with what it printed. `signal` asks it to end (SIGTERM), which is no failure of its own.
   * @throws when it fails, with what it wrote to standard error.
   */
  output(place: Place, command: readonly string[], signal?: AbortSignal): Promise<string>;
  /** The end of what a started command wrote. */
  logOf(name: string): string;
  close(): void;
};

/**
 * Needs root and iproute2. SIGINT and SIGTERM close the lab before they end the process.
 * @throws when a namespace or a link cannot be made.
 */
export function openLab(): Lab {
  const names = { source: `weir-bench-${process.pid}-s`, home: `weir-bench-${process.pid}-h` };
  const links = { source: `wbs${process.pid}`, home: `wbh${process.pid}` };
  const directory = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const close = closeOnce(Object.values(names), directory);
  try {
    connect(names, links);
  } catch (error) {
    close();
    throw error;
  }
  const inside = (place: Place, command: readonly string[]) => ['netns', 'exec', names[place], ...command];
  const logFile = (name: string) => join(directory, `${name}.log`);
  return {
    sourceAddress: '10.91.0.1',
    interface: links.home,
    directory,
    start: (place, name, command) => {
      const log = openSync(logFile(name), 'w');
      return spawn('ip', inside(place, command), { stdio: ['ignore', log, log] });
    },
    output: (place, command, signal) => run('ip', inside(place, command), signal),
    logOf: (name) => readFileSync(logFile(name), 'utf8').trim().split('\n').slice(-3).join('\n'),
    close,
  };
}

function connect(names: Record<Place, string>, links: Record<Place, string>): void {
  for (const place of ['source', 'home'] as const) ip('netns', 'add', names[place]);
  const peer = ['peer', 'name', links.home, 'netns', names.home];
  ip('link', 'add', links.source, 'netns', names.source, 'type', 'veth', ...peer);
  for (const [place, address] of [
    ['source', '10.91.0.1/24'],
    ['home', '10.91.0.2/24'],
  ] as const) {
    ip('-n', names[place], 'addr', 'add', address, 'dev', links[place]);
    for (const link of ['lo', links[place]]) ip('-n', names[place], 'link', 'set', link, 'up');
    ip('-n', names[place], 'route', 'add', '224.0.0.0/4', 'dev', links[place]);
  }
}

function closeOnce(namespaces: readonly string[], directory: string): () => void {
  let closed = false;
  const close = () => {
    if (closed) return;
    closed = true;
    process.off('exit', close);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
    for (const name of namespaces) {
      for (const pid of pidsIn(name)) endNow(pid);
      spawnSync('ip', ['netns', 'del', name], { stdio: 'ignore' });
    }
    rmSync(directory, { recursive: true, force: true });
  };
  const interrupted = () => {
    close();
    process.exit(130);
  };
  process.on('exit', close);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupted);
  return close;
}

function pidsIn(namespace: string): number[] {
  const { stdout } = spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' });
  return stdout.split(/\s+/).filter(Boolean).map(Number);
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself since it was listed.
  }
}

function run(file: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  const printed = new Promise<string>((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output: string[] = [];
    const errors: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
    signal?.addEventListener('abort', () => child.kill('SIGTERM'));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output.join(''));
      else reject(new Error(`${args.slice(3).join(' ')} failed: ${errors.join('').trim()}`));
    });
  });
  // It may fail while its caller still waits for something else, and is heard when its turn comes.
  printed.catch(() => undefined);
  return printed;
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
