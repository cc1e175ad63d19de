import type { SliceBatch } from './read/parse-batch.js';

/** Bytes of a batch, unless one slice alone is larger; and the most slices of one. */
const batchBytes = 256 * 1024;
const mostSlices = 1024;

/** Gathers slices of a guide in batches that are handed to another thread as a whole. */
export class Slices {
  readonly #ready: SliceBatch[] = [];
  #bytes = new Uint8Array(batchBytes);
  #used = 0;
  #count = 0;
  readonly #ends = new Uint32Array(mostSlices);
  readonly #texts = new Float64Array(mostSlices);
  readonly #offsets = new Float64Array(mostSlices);

  /** The slice is copied. */
  add(slice: Uint8Array, text: number, offset: number): void {
    if (this.#count === mostSlices || this.#used + slice.length > this.#bytes.length) this.#close();
    if (slice.length > this.#bytes.length) this.#bytes = new Uint8Array(slice.length);
    this.#bytes.set(slice, this.#used);
    this.#used += slice.length;
    this.#ends[this.#count] = this.#used;
    this.#texts[this.#count] = text;
    this.#offsets[this.#count] = offset;
    this.#count += 1;
  }

  /** The next full batch; undefined when there is none. */
  next(): SliceBatch | undefined {
    return this.#ready.shift();
  }

  /** The last batch is as full as it is. */
  end(): void {
    this.#close();
  }

  #close(): void {
    if (this.#count === 0) return;
    this.#ready.push({
      bytes: this.#bytes.subarray(0, this.#used),
      ends: this.#ends.slice(0, this.#count),
      texts: this.#texts.slice(0, this.#count),
      offsets: this.#offsets.slice(0, this.#count),
    });
    this.#bytes = new Uint8Array(batchBytes);
    this.#used = 0;
    this.#count = 0;
  }
}
