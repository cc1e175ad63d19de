import { simplified } from '../../model/search.js';
import { Order } from './order.js';

/** Texts and titles that are written together: so many that many of them go to the same page, and few enough to be sorted in 10 ms. */
const mostTexts = 2 ** 17;
const mostTitles = 2 ** 15;
/** Of the bits of a title's id, those that it is sorted by: neighbours go to the same page then. */
const sorted = 2 ** 16;

export type Title = readonly [folded: string, id: number, text: string];

/** Texts by their titles. It is filled, then closed, then taken out in order. */
export class TitleBatch {
  /** Ids of titles, each in the first free slot from the one on that its low bits say; 0 is free. */
  readonly #met = new Float64Array(2 * mostTitles);
  /** By their numbers in the order. */
  readonly #titles: Title[] = [];
  readonly #titleOrder = new Order(mostTitles);
  readonly #titleOf = new Float64Array(mostTexts);
  readonly #texts = new Float64Array(mostTexts);
  readonly #textOrder = new Order(mostTexts);
  #titlesTaken = 0;
  #textsTaken = 0;
  #isClosed = false;

  /** Whether nothing can be added any more. */
  get isClosed(): boolean {
    return this.#isClosed || this.#titleOrder.isFull || this.#textOrder.isFull;
  }

  /** A text, by the id of its title. */
  add(text: number, title: string, id: number): void {
    const number = this.#textOrder.add(Math.floor(id / sorted));
    this.#titleOf[number] = id;
    this.#texts[number] = text;
    if (!this.#meet(id)) return;
    const folded = simplified(title);
    this.#titles[this.#titleOrder.add(beginning(folded))] = [folded, id, title];
  }

  /** False when it was met before. A set of JavaScript takes five times as long. */
  #meet(id: number): boolean {
    const met = this.#met;
    const mask = met.length - 1;
    let slot = id & mask;
    while (met[slot] !== 0 && met[slot] !== id) slot = (slot + 1) & mask;
    if (met[slot] === id) return false;
    met[slot] = id;
    return true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#titleOrder.sort();
    this.#textOrder.sort();
  }

  /** The next titles, of those that were added: at most `most`. */
  takeTitles(most: number): Title[] {
    const taken: Title[] = [];
    for (; taken.length < most && this.#titlesTaken < this.#titleOrder.count; this.#titlesTaken += 1) {
      const title = this.#titles[this.#titleOrder.at(this.#titlesTaken)];
      if (title !== undefined) taken.push(title);
    }
    return taken;
  }

  takeTexts(most: number): [title: number, text: number][] {
    const taken: [number, number][] = [];
    for (; taken.length < most && this.#textsTaken < this.#textOrder.count; this.#textsTaken += 1) {
      const number = this.#textOrder.at(this.#textsTaken);
      taken.push([this.#titleOf[number] ?? 0, this.#texts[number] ?? 0]);
    }
    return taken;
  }
}

/** The low 12 bits of its first three units: nearly the order of the database, in each script. */
function beginning(text: string): number {
  return (lowBits(text, 0) * 2 ** 12 + lowBits(text, 1)) * 2 ** 12 + lowBits(text, 2);
}

/** 0 behind the end of a text. */
function lowBits(text: string, index: number): number {
  return text.charCodeAt(index) & 0xfff;
}
