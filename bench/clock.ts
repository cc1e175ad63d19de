import { setTimeout as pause } from 'node:timers/promises';

/** Nanoseconds of CLOCK_MONOTONIC: the same for every process of the machine, in network namespaces too. */
export function now(): bigint {
  return process.hrtime.bigint();
}

export function milliseconds(count: number): bigint {
  return BigInt(Math.round(count * 1e6));
}

/** Settles at the instant, in nanoseconds of `now`, or at once when it has passed. */
export async function reach(instant: bigint): Promise<void> {
  const left = Number(instant - now()) / 1e6;
  if (left > 0) await pause(left);
}
