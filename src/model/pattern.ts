import { createContext, Script } from 'node:vm';

/** Milliseconds that a pattern may take for all its probes together. */
const probeTime = 100;
/** Long enough for an exponential pattern to show, short enough for a square or cubic one to pass. */
const probeLength = 60;

/** The pattern of a rule. @throws SyntaxError with the engine's message. */
export function readPattern(pattern: string): RegExp {
  return new RegExp(pattern, 'iu');
}

/**
 * Whether a pattern tries so many ways to match that names made to provoke it keep it busy, as `(a+)+$` does. Names that
 * are not thought of here may: what runs patterns over a whole catalogue keeps a budget for each (`Budget`).
 */
export function isRunaway(pattern: RegExp): boolean {
  const probes = probesOf(pattern.source);
  const tryAll = () => {
    for (const probe of probes) pattern.test(probe);
  };
  // A machine that was busy elsewhere is no reason to refuse one.
  return !runWithin(probeTime, tryAll) && !runWithin(probeTime, tryAll);
}

/** Each character and each word that the pattern holds, over and over, with an end that it does not expect. */
function probesOf(source: string): string[] {
  const words = source.match(/[\p{L}\p{N}]+/gu) ?? [];
  const seeds = new Set([...words, ...source, 'a', '0', ' ', 'a0', 'a ', '中']);
  return [...seeds].map((seed) => `${seed.repeat(Math.ceil(probeLength / seed.length))}\u0001`);
}

let room: { work: () => void } | undefined;
const call = new Script('work()');

/**
 * Runs something that only computes, and ends it when it takes longer than so many milliseconds (1 at least): even a
 * regular expression in the middle of its search. Its `finally` blocks do not run then. It costs about 0.1 ms.
 * @returns whether it came to its end. @throws what it throws.
 */
export function runWithin(milliseconds: number, work: () => void): boolean {
  room ??= createRoom();
  room.work = work;
  try {
    call.runInContext(room, { timeout: Math.max(1, Math.ceil(milliseconds)) });
    return true;
  } catch (error) {
    if (isTimeout(error)) return false;
    throw error;
  } finally {
    room.work = idle;
  }
}

/** A context is made only to be able to end what it calls; nothing is defined in it. */
function createRoom() {
  const made = { work: idle };
  createContext(made);
  return made;
}

function idle(): void {}

/** It is an Error of the context, not of ours. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

/** Milliseconds: what a rule may take at once, and for each entry in the long run; a common one takes a thousandth. */
const fullTank = 500;
const perEntry = 0.05;

/**
 * The time that a rule may take: a tank that fills as entries come and empties as they are worked on. An empty one is
 * filled once more, as the machine may have been busy elsewhere; after that the rule has to go.
 */
export class Budget {
  private left = fullTank;
  private hasSpare = true;

  /** Runs work on so many entries, twice where the first time does not come to an end. @returns whether it did. */
  run(entries: number, work: () => void): boolean {
    this.left = Math.min(fullTank, this.left) + entries * perEntry;
    if (this.left >= fullTank) this.hasSpare = true;
    if (this.attempt(work)) return true;
    if (!this.hasSpare) return false;
    this.hasSpare = false;
    this.left = fullTank;
    return this.attempt(work);
  }

  private attempt(work: () => void): boolean {
    let spent = this.left;
    const isDone = runWithin(this.left, () => {
      const start = performance.now();
      work();
      spent = performance.now() - start;
    });
    this.left -= spent;
    return isDone;
  }
}
