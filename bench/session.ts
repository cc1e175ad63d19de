import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Contender } from './contenders.js';
import type { Lab } from './lab.js';
import { listens, processesNaming, processTree, runs } from './processes.js';

/** What `native/bench/send` reports. Instants are in nanoseconds. */
export const sendReport = z.object({
  first: z.number(),
  datagrams: z.number(),
  /** Of each group, the video packets due in the window. */
  marked: z.array(z.number()),
  lateMs: z.number(),
});

/** What `native/bench/watch` reports. */
export const watchReport = z.object({
  /** Per cent of one CPU that it used itself in the window. */
  cpu: z.number(),
  viewers: z.array(
    z.object({
      path: z.string(),
      /** HTTP status, 0 without an answer. */
      status: z.number(),
      connected: z.number(),
      /** Instants of the first body byte and of the last byte of the first random-access picture, 0 without one. */
      first: z.number(),
      picture: z.number(),
      bytes: z.number(),
      /** Of the video packets due in the window, those that arrived. */
      marked: z.number(),
      /** Nanoseconds from when these were due until they came: of all together, and at worst. */
      delaySum: z.number(),
      delayMost: z.number(),
      continuityErrors: z.number(),
      syncErrors: z.number(),
    }),
  ),
});

/** A running relay, started afresh. */
export type Session = {
  /** Its processes now; the pump's are among `all`. */
  processes(): { all: number[]; pump: number[] };
  stop(): Promise<void>;
};

/** Starts a relay in the lab and settles once it listens. @throws when it ends or does not listen within 10 s. */
export async function startSession(lab: Lab, contender: Contender): Promise<Session> {
  const { command, data } = contender.prepare(lab);
  const child = lab.start('home', contender.name, command);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${contender.name} could not be started.`);
  const processes = () => {
    const pump = data === null ? [] : processesNaming(data).filter((candidate) => candidate !== pid);
    return { pump, all: [...new Set([...processTree(pid), ...pump])] };
  };
  const stop = () => stopAll(child, processes().all);
  const ready = await within(10_000, () => listens(pid, contender.port) || child.exitCode !== null);
  if (!ready || child.exitCode !== null) {
    await stop();
    throw new Error(`${contender.name} does not listen on port ${contender.port}: ${lab.logOf(contender.name)}`);
  }
  return { processes, stop };
}

/** Asks a relay to end and settles when all its processes have; what is left after 5 s is ended. */
async function stopAll(child: ChildProcess, pids: readonly number[]): Promise<void> {
  child.kill('SIGTERM');
  const ended = await within(5_000, () => !pids.some(runs));
  if (ended) return;
  for (const pid of pids.filter(runs)) process.kill(pid, 'SIGKILL');
  await within(1_000, () => !pids.some(runs));
}

async function within(limit: number, fact: () => boolean): Promise<boolean> {
  for (const end = performance.now() + limit; performance.now() < end; ) {
    if (fact()) return true;
    await pause(20);
  }
  return fact();
}
