import { isAscii } from 'node:buffer';
import { linkKey } from '../../../model/guide.js';
import { elementDecoder } from '../decode.js';
import { decodeEntities } from '../entities.js';
import type { Stats } from './stats.js';

type Encodings = Parameters<typeof elementDecoder>[0];
/** A way to write an id. */
type Spelling = { readonly bytes: Uint8Array; readonly index: number };

/** Bytes. Longer ones are none. */
const longest = 1000;
/** More ways to write ids than that are an attack. */
const mostKnown = 500_000;
/** A power of two. */
const mostRecent = 65_536;

/** Guides come in runs of one channel, and else name the same ones again and again. */
export class GuideIds {
  readonly #stats: Stats;
  readonly #encodings: Encodings;
  /** Keyed by its bytes as text. */
  readonly #known = new Map<string, Spelling>();
  /** The last one of each hash, which is found without making a text. */
  readonly #recent: (Spelling | undefined)[] = new Array(mostRecent);
  #last: Spelling = { bytes: new Uint8Array(0), index: -1 };

  constructor(stats: Stats, encodings: Encodings) {
    this.#stats = stats;
    this.#encodings = encodings;
  }

  /** Index of the channel whose id stands there; −1 when it is empty, far too long or one too many. */
  index(window: Buffer, from: number, to: number): number {
    if (to - from > longest) return -1;
    if (!isSame(window, from, to, this.#last.bytes)) this.#last = this.#find(window, from, to);
    return this.#last.index;
  }

  #find(window: Buffer, from: number, to: number): Spelling {
    const hash = hashOf(window, from, to) & (mostRecent - 1);
    const recent = this.#recent[hash];
    if (recent !== undefined && isSame(window, from, to, recent.bytes)) return recent;
    const text = window.toString('latin1', from, to);
    const spelling = this.#known.get(text) ?? this.#add(text, Uint8Array.prototype.slice.call(window, from, to));
    this.#recent[hash] = spelling;
    return spelling;
  }

  #add(text: string, bytes: Uint8Array): Spelling {
    const written = isAscii(bytes) ? text : elementDecoder(this.#encodings, { bytes, ends: [bytes.length] })(0, ignore);
    const guideId = decodeEntities(written, ignore).trim();
    const key = linkKey(guideId);
    const spelling = { bytes, index: key === '' ? -1 : this.#stats.channel(guideId, key) };
    if (spelling.index >= 0 && this.#known.size < mostKnown) this.#known.set(text, spelling);
    return spelling;
  }
}

/** What is wrong with the text of an id is told where its channel is read. */
function ignore(): void {}

function isSame(window: Uint8Array, from: number, to: number, other: Uint8Array): boolean {
  if (to - from !== other.length) return false;
  for (let index = 0; index < other.length; index += 1) if (window[from + index] !== other[index]) return false;
  return true;
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash, 31) + (bytes[at] ?? 0);
  return hash ^ (hash >>> 16);
}
