import { WeirError } from './errors.js';

/** Bytes of the first block where nobody said how much will come, and of the largest. */
const smallest = 64 * 1024;
const largest = 4 * 1024 * 1024;

/** Bytes that come in pieces, copied together: pieces of one byte cost no more memory than large ones do. */
export class Gather {
  #size = 0;
  readonly #maxBytes: number;
  readonly #blocks: Uint8Array<ArrayBuffer>[] = [];
  #block: Uint8Array<ArrayBuffer>;
  /** Bytes of the current block that are used. */
  #used = 0;

  /** @param expected bytes that were promised, or null; memory is taken as they come. */
  constructor(maxBytes: number, expected: number | null) {
    this.#maxBytes = maxBytes;
    this.#block = new Uint8Array(Math.min(expected ?? smallest, maxBytes));
  }

  /** @throws WeirError `limit-reached` when it is too much. */
  add(chunk: Uint8Array): void {
    if (this.#size + chunk.length > this.#maxBytes) throw tooLarge(this.#maxBytes);
    this.#size += chunk.length;
    for (let rest = chunk; rest.length > 0; ) {
      const room = this.#block.length - this.#used;
      const piece = rest.subarray(0, room);
      this.#block.set(piece, this.#used);
      this.#used += piece.length;
      rest = rest.subarray(piece.length);
      if (rest.length > 0) this.#grow();
    }
  }

  /** Everything in one array of its own memory, that may be moved to another thread. */
  whole(): Uint8Array<ArrayBuffer> {
    const last = this.#block.subarray(0, this.#used);
    if (this.#blocks.length === 0)
      return this.#used === this.#block.length ? this.#block : this.#block.slice(0, this.#used);
    return joined([...this.#blocks, last], this.#size);
  }

  #grow(): void {
    this.#blocks.push(this.#block);
    this.#block = new Uint8Array(Math.min(Math.max(this.#size, smallest), largest));
    this.#used = 0;
  }
}

export function tooLarge(maxBytes: number): WeirError {
  return new WeirError('limit-reached', `It is larger than ${Number((maxBytes / 1024 / 1024).toFixed(2))} MB.`);
}

/** One array of its own memory, that may be moved to another thread. */
export function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
