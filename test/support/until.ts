import { setTimeout as pause } from 'node:timers/promises';

type Options = {
  /** Milliseconds after which waiting fails; 5,000 unless said. */
  readonly within?: number;
};

/**
 * Waits for a fact: asks again every 10 ms until `fact` returns something truthy, and returns that.
 * @throws when the time is over, naming what was waited for and what `fact` returned or threw last.
 */
export async function until<T>(what: string, fact: () => T | Promise<T>, { within = 5_000 }: Options = {}) {
  const end = performance.now() + within;
  for (;;) {
    let last: unknown;
    try {
      const value = await fact();
      if (value) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) {
      throw new Error(`after ${within} ms still waiting for ${what}; last: ${String(last)}`, { cause: last });
    }
    await pause(10);
  }
}
