import { setImmediate as nextTurn } from 'node:timers/promises';

type Work = () => Promise<void>;

/** Whose turn it is to write. */
export interface Turns {
  /** Work of one client is done in its order. It never throws. */
  add(client: object, work: Work): void;
  /** Calls back when everything that was added before is done. */
  end(done: () => void): void;
}

/**
 * Does one work at a time, of each client in its turn: an edit waits for one chunk of an import and not for all that are on
 * their way. Between two, what came meanwhile is taken in.
 */
export function createTurns(): Turns {
  /** By client, the one that waits longest for its turn first. */
  const waiting = new Map<object, Work[]>();
  let ended: (() => void) | null = null;
  let running = false;
  const take = (): Work | undefined => {
    const [first] = waiting;
    if (first === undefined) return undefined;
    const [client, works] = first;
    const work = works.shift();
    waiting.delete(client);
    if (works.length > 0) waiting.set(client, works);
    return work;
  };
  const run = async () => {
    running = true;
    for (let work = take(); work !== undefined; work = take()) {
      await work();
      await nextTurn();
    }
    running = false;
    ended?.();
  };
  const start = () => {
    if (!running) void run();
  };
  return {
    add(client, work) {
      const works = waiting.get(client);
      if (works === undefined) waiting.set(client, [work]);
      else works.push(work);
      start();
    },
    end(done) {
      ended = done;
      start();
    },
  };
}
