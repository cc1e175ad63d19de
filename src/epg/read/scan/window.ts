const smallest = 512 * 1024;

/** The stretch of a stream that is looked at: what is not done with yet, and what came last. */
export class Window {
  /** Valid until the next `slide` or `append`. */
  bytes: Buffer;
  /** Place of its first byte in the stream. */
  base = 0;
  #store = Buffer.allocUnsafe(smallest);

  constructor() {
    this.bytes = this.#store.subarray(0, 0);
  }

  /** Lets go of so many bytes at its begin. */
  slide(count: number): void {
    const { length } = this.bytes;
    this.#store.copyWithin(0, count, length);
    this.base += count;
    this.bytes = this.#store.subarray(0, length - count);
  }

  append(chunk: Uint8Array): void {
    const { length } = this.bytes;
    const needed = length + chunk.length;
    if (needed > this.#store.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#store.length));
      this.#store.copy(larger, 0, 0, length);
      this.#store = larger;
    }
    this.#store.set(chunk, length);
    this.bytes = this.#store.subarray(0, needed);
  }

  /** Looks at bytes where they are, in the place of those that it has: these are the first of them. Until `settle`. */
  lend(bytes: Uint8Array): void {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Lets go of so many bytes at the begin of what was lent, and takes the rest over. */
  settle(count: number): void {
    const rest = this.bytes.subarray(count);
    this.base += count;
    this.bytes = this.#store.subarray(0, 0);
    this.append(rest);
  }
}
