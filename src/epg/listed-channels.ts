import type { GuideChannel } from '../model/guide.js';
import { mergeChannels } from './read/channel.js';

/** The `<channel>` elements of a guide, by folded id, each as one text: as objects they take five times the memory. */
export class ListedChannels {
  readonly #texts = new Map<string, string>();

  get size(): number {
    return this.#texts.size;
  }

  has(key: string): boolean {
    return this.#texts.has(key);
  }

  /** Those with the same id are one, with the names of all. False when there was one already. */
  add(key: string, channel: GuideChannel): boolean {
    const known = this.#texts.get(key);
    this.#texts.set(key, JSON.stringify(known === undefined ? channel : mergeChannels(read(known), channel)));
    return known === undefined;
  }

  *[Symbol.iterator](): Generator<[key: string, channel: GuideChannel]> {
    for (const [key, text] of this.#texts) yield [key, read(text)];
  }
}

function read(text: string): GuideChannel {
  return JSON.parse(text) as GuideChannel;
}
