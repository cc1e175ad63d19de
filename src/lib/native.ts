import { createRequire } from 'node:module';
import { messageOf, WeirError } from './errors.js';
import { packagePath } from './package-path.js';

type Addon = {
  connect(path: string): number;
  send(socket: number, message: string, descriptor: number): boolean;
  close(socket: number): void;
  lock(path: string, text: string): boolean;
  trim(): void;
};

let loaded: Addon | null = null;

/** Loaded when it is first needed, so that a command can say in one line that it is not there. */
function addon(): Addon {
  loaded ??= load(packagePath('native/build/handoff.node'));
  return loaded;
}

function load(path: string): Addon {
  let found: Partial<Addon>;
  try {
    found = createRequire(import.meta.url)(path) as Partial<Addon>;
  } catch (error) {
    const [reason] = messageOf(error).split('\n');
    throw new WeirError('unavailable', `The native part is missing; npm ci builds it with make and g++. ${reason}.`);
  }
  if (!isWhole(found))
    throw new WeirError('unavailable', 'The native part is of an older Weir; npm ci builds it anew.');
  return found;
}

function isWhole(addon: Partial<Addon>): addon is Addon {
  const { connect, send, close, lock, trim } = addon;
  return [connect, send, close, lock, trim].every((part) => typeof part === 'function');
}

/** The pump's program. */
export const pumpProgram = packagePath('native/build/weir-pump');

/**
 * Locks a file for as long as this process lives and writes `text` into it. False when another process holds it.
 * @throws Error with `code` (`EACCES`, `ENOENT`, …) when the file cannot be opened.
 */
export function lockFile(path: string, text: string): boolean {
  return addon().lock(path, text);
}

/** Milliseconds after which V8 has let go of what a big task left behind. */
const tidied = 15_000;

/** Gives the system back what the allocator keeps of memory that was freed: now, and once more when garbage was found. */
export function trimMemory(): void {
  addon().trim();
  setTimeout(() => addon().trim(), tidied).unref();
}

/** A connection over which messages with a descriptor each are given to another process. */
export class DescriptorSocket {
  #socket: number | null;

  /** @throws Error with `code` when nobody listens at `path`. */
  constructor(path: string) {
    this.#socket = addon().connect(path);
  }

  /**
   * Sends one message and a copy of a descriptor. False when the queue is full.
   * @throws Error with `code` when the other side is gone.
   */
  send(message: string, descriptor: number): boolean {
    if (this.#socket === null) return false;
    return addon().send(this.#socket, message, descriptor);
  }

  close(): void {
    if (this.#socket !== null) addon().close(this.#socket);
    this.#socket = null;
  }
}
