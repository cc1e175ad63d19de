import { setPriority } from 'node:os';

/** Has this thread give way to others: streams and requests go first. On Linux it is of the thread alone. */
export function giveWay(): void {
  try {
    setPriority(0, 5);
  } catch {
    // A system that does not let it be lowered goes on as it is.
  }
}
