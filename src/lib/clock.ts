/** Epoch seconds. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}
