import { decompressed } from '../lib/decompress.js';
import { WeirError } from '../lib/errors.js';
import { maxPlain, readBody } from './body-files.js';

type Chunks = AsyncIterable<Uint8Array>;

/** Bytes by which is told what a body is. */
const headSize = 4096;

/** A kept body as it is inside of its archives. An archive that is cut off or damaged is told, not thrown: what came counts. */
export class Body {
  /** What is wrong with the archive, in a sentence. */
  fault: string | null = null;
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #first = Buffer.alloc(0);

  constructor(dir: string, file: string) {
    this.#chunks = this.#inflated(readBody(dir, file));
  }

  /** The first bytes; fewer of a body that has no more. */
  async head(): Promise<Uint8Array> {
    while (this.#first.length < headSize) {
      const next = await this.#chunks.next();
      if (next.done === true) break;
      this.#first = Buffer.concat([this.#first, next.value]);
    }
    return this.#first;
  }

  get isEmpty(): boolean {
    return this.#first.length === 0;
  }

  /** All of it, once. A piece is valid until the next one is asked for. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    yield this.#first;
    this.#first = Buffer.alloc(0);
    yield* this.#chunks;
  }

  async *#inflated(packed: Chunks): AsyncGenerator<Uint8Array> {
    try {
      yield* decompressed(packed, { maxBytes: maxPlain, prefer: 'guides' });
    } catch (error) {
      if (!(error instanceof WeirError)) throw error;
      this.fault = error.message;
    }
  }
}
