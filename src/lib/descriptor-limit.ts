import { readFileSync } from 'node:fs';

/** Descriptors kept for work that is under way: files, the database, sockets of the pump. */
const reserve = 8;

/**
 * Says when this process is about to run out of file descriptors. The kernel gives the lowest free number, so a high one
 * says that nearly all are taken. The limit may change while we run: it is read when a number is higher than any before.
 */
export class DescriptorLimit {
  #highest = 0;

  isNear(descriptor: number): boolean {
    if (descriptor <= this.#highest) return false;
    if (descriptor >= openFileLimit() - reserve) return true;
    this.#highest = descriptor;
    return false;
  }
}

/** The soft limit of open files, proc(5); none where it cannot be known. */
function openFileLimit(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EMFILE' ? 0 : Number.POSITIVE_INFINITY;
  }
}
