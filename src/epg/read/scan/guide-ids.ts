import { linkKey } from '../../../model/guide.js';
import { elementDecoder } from '../decode.js';
import { decodeEntities } from '../entities.js';
import type { Stats } from './stats.js';

type Encodings = Parameters<typeof elementDecoder>[0];

/** Bytes. Longer ones are none. */
const longest = 1000;
/** More ways to write ids than that are an attack. */
const mostKnown = 500_000;

/** Guides come in runs of one channel, and else name the same ones again and again. */
export class GuideIds {
  readonly #stats: Stats;
  readonly #encodings: Encodings;
  /** Index of each id, keyed by its bytes as text. */
  readonly #byBytes = new Map<string, number>();
  #last: Uint8Array = new Uint8Array(0);
  #lastIndex = -1;

  constructor(stats: Stats, encodings: Encodings) {
    this.#stats = stats;
    this.#encodings = encodings;
  }

  /** Index of the channel whose id stands there; −1 when it is empty, far too long or one too many. */
  index(window: Buffer, from: number, to: number): number {
    if (to - from > longest) return -1;
    if (isSame(window, from, to, this.#last)) return this.#lastIndex;
    const bytes = window.toString('latin1', from, to);
    this.#lastIndex = this.#byBytes.get(bytes) ?? this.#add(bytes, window.subarray(from, to));
    this.#last = Uint8Array.prototype.slice.call(window, from, to);
    return this.#lastIndex;
  }

  #add(bytes: string, raw: Uint8Array): number {
    const guideId = decodeEntities(
      elementDecoder(this.#encodings, { bytes: raw, ends: [raw.length] })(0, ignore),
      ignore,
    ).trim();
    const key = linkKey(guideId);
    const index = key === '' ? -1 : this.#stats.channel(guideId, key);
    if (index >= 0 && this.#byBytes.size < mostKnown) this.#byBytes.set(bytes, index);
    return index;
  }
}

/** What is wrong with the text of an id is told where its channel is read. */
function ignore(): void {}

function isSame(window: Uint8Array, from: number, to: number, other: Uint8Array): boolean {
  if (to - from !== other.length) return false;
  for (let index = 0; index < other.length; index += 1) if (window[from + index] !== other[index]) return false;
  return true;
}
