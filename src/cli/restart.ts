import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { lockPath } from '../lib/data-directory.js';
import { messageOf, WeirError } from '../lib/errors.js';
import { lockFile } from '../lib/native.js';
import { addDataOptions, configOf, type DataFlags } from './options.js';

/** Milliseconds that a running weir may take to end, and between two looks whether it has. */
const patience = 10_000;
const look = 20;

export function restartCommand(): Command {
  return addDataOptions(new Command('restart'))
    .description('end the running weir but not its streams, so that the next one goes on with them')
    .action(async (flags: DataFlags) => {
      const { data } = configOf({ config: flags.config, data: flags.data });
      const pid = runningPid(data);
      signal(pid);
      await ended(pid);
      const next = 'The service manager starts it again; without one, start "weir serve" within a minute';
      process.stdout.write(`Weir (process ${pid}) has ended and its streams go on. ${next}.\n`);
    });
}

/** Only whoever holds the lock is running: the number in the file may be old, and another process's by now. */
function runningPid(data: string): number {
  const file = lockPath(data);
  const text = readLock(file);
  const pid = Number(text?.trim());
  if (text === null || lockFile(file, text) || !Number.isInteger(pid) || pid < 1) {
    throw new WeirError(
      'not-found',
      `No weir is running on ${data}. Start one with weir serve, or name another with --data.`,
    );
  }
  return pid;
}

function readLock(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGUSR2');
  } catch (error) {
    throw new WeirError(
      'forbidden',
      `Weir (process ${pid}) cannot be told to end: ${messageOf(error)}. Ask as its user.`,
    );
  }
}

async function ended(pid: number): Promise<void> {
  const end = performance.now() + patience;
  while (isRunning(pid)) {
    if (performance.now() > end) {
      throw new WeirError(
        'unavailable',
        `Weir (process ${pid}) has not ended within ${patience / 1000} s. See its log.`,
      );
    }
    await pause(look);
  }
}

/** A process that only waits to be collected by its parent has ended. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
