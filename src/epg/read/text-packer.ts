import type { ProgrammeContent } from '../../model/programme.js';
import type { PackedTexts } from '../../store/guide/contract.js';

/** Puts contents of programmes into a few arrays, which another thread is given without a copy of each. */
export class TextPacker {
  readonly #ids: number[] = [];
  readonly #titles: string[] = [];
  readonly #ends: number[] = [];
  #bodies: Buffer<ArrayBuffer>;
  #used = 0;

  /** @param expected bytes of all bodies; more is allowed. */
  constructor(expected: number) {
    this.#bodies = buffer(expected + 1024);
  }

  add(id: number, content: ProgrammeContent): void {
    const body = JSON.stringify(content);
    // No character of a string takes more than three bytes.
    if (this.#used + 3 * body.length > this.#bodies.length) this.#grow(3 * body.length);
    this.#used += this.#bodies.write(body, this.#used);
    this.#ids.push(id);
    this.#titles.push(content.titles[0]?.text ?? '');
    this.#ends.push(this.#used);
  }

  packed(): PackedTexts {
    const bodies = new Uint8Array(this.#bodies.buffer, 0, this.#used);
    return { ids: Float64Array.from(this.#ids), titles: this.#titles, bodies, ends: Uint32Array.from(this.#ends) };
  }

  #grow(missing: number): void {
    const larger = buffer(2 * this.#bodies.length + missing);
    this.#bodies.copy(larger);
    this.#bodies = larger;
  }
}

function buffer(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.from(new ArrayBuffer(bytes));
}
