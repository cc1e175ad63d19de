import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from './until.js';

/** A program and whatever it started, which can be ended together. */
export class Program {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, 'exit');
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Gives it this many milliseconds to end by itself, then ends it and what it left behind. */
  async end(within: number): Promise<void> {
    const over = new AbortController();
    await Promise.race([this.#exited, pause(within, undefined, { signal: over.signal }).catch(() => undefined)]);
    over.abort();
    killGroup(this.#child.pid);
    await this.#exited;
  }

  /** Asks it to end, and waits until it has. */
  async terminate(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.end(5_000);
  }
}

type Environment = Readonly<Record<string, string>>;

/** Starts a program as the leader of a group of processes. What it says is thrown away. */
export async function startProgram(command: string, args: readonly string[], env: Environment): Promise<Program> {
  const child = spawn(command, args, { env, detached: true, stdio: 'ignore' });
  await once(child, 'spawn');
  return new Program(child);
}

/** A screen that exists in memory only, under a number that no other screen has. */
export type Screen = {
  /** For DISPLAY, such as `:0`. */
  readonly display: string;
  readonly program: Program;
};

/** @param size such as `640x360`, in pixels */
export async function startScreen(size: string): Promise<Screen> {
  const args = ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp'];
  const child = spawn('Xvfb', args, { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  await once(child, 'spawn');
  const program = new Program(child);
  const said = child.stdio[3] as Readable;
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`Xvfb ended with ${code} before it had a screen`);
  });
  const [number] = (await Promise.race([once(said, 'data'), ended])) as [Buffer];
  return { display: `:${number.toString('latin1').trim()}`, program };
}

/** A sound server with loudspeakers that nobody hears: they take sound at the pace at which it is meant. */
export type Sound = {
  /** For PULSE_SERVER. */
  readonly server: string;
  readonly program: Program;
};

/** @param home where it keeps its files and its socket */
export async function startSound(home: string): Promise<Sound> {
  const socket = join(home, 'sound.socket');
  const modules = ['module-null-sink', `module-native-protocol-unix socket=${socket} auth-anonymous=1`];
  const args = ['-n', '--daemonize=no', '--exit-idle-time=-1', ...modules.map((module) => `--load=${module}`)];
  const program = await startProgram('pulseaudio', args, environment(home));
  await until('the sound server', () => existsSync(socket), { within: 30_000 });
  return { server: `unix:${socket}`, program };
}

/** What a program needs at least, all its files in one place, and nothing of the tester's own session. */
export function environment(home: string): Environment {
  const { PATH = '' } = process.env;
  return { PATH, HOME: home, XDG_RUNTIME_DIR: home };
}

/** The group may be gone. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
