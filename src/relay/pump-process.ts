import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, WeirError } from '../lib/errors.js';
import { pumpProgram } from '../lib/native.js';
import { type LinkOptions, PumpLink } from './pump-link.js';

/** The wire that this Weir speaks (native/README.md). */
export const protocol = 3;

/** How long a new pump may take until it listens, in milliseconds. */
const startLimit = 5000;

/** The sockets of a pump of one protocol version, without their endings. */
export function pumpPrefix(dir: string, version: number): string {
  return join(dir, `pump-${version}`);
}

/** Versions other than ours whose pumps may still run in a data directory. */
export function otherVersions(dir: string): number[] {
  const names = readdirSync(dir).map((name) => /^pump-(\d{1,9})\.sock$/.exec(name)?.[1]);
  return names.flatMap((version) => (version === undefined ? [] : [Number(version)])).filter((v) => v !== protocol);
}

/** Connects to the pump of a version if one runs, else null. */
export async function findPump(options: LinkOptions): Promise<PumpLink | null> {
  try {
    return await PumpLink.open(options);
  } catch {
    return null;
  }
}

/**
 * Starts a pump that outlives this process, and connects to it.
 * @throws WeirError `unavailable` with what the pump said when it did not come up.
 */
export async function startPump(dir: string, options: LinkOptions): Promise<PumpLink> {
  const logPath = `${options.prefix}.log`;
  const logFile = openSync(logPath, 'a', 0o600);
  const child = spawn(pumpProgram, ['--dir', dir], { cwd: '/', detached: true, stdio: ['ignore', logFile, logFile] });
  closeSync(logFile);
  let failure: string | null = null;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', (code) => {
    failure = `it ended with code ${code}: ${lastLine(logPath)}`;
  });
  child.unref();
  const deadline = Date.now() + startLimit;
  while (failure === null && Date.now() < deadline) {
    const link = await findPump(options);
    if (link !== null) return link;
    await wait(5);
  }
  throw new WeirError('unavailable', `The pump did not start: ${failure ?? `see ${logPath}`}.`);
}

/** What the pump said last; nothing when its log cannot be read. */
function lastLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  } catch (error) {
    return messageOf(error);
  }
}
