import type { PackedAirings } from '../store/guide/contract.js';

/** Numbers of a row of `PackedAirings`: guide channel, start, stop, hash, text. */
export const rowSize = 5;
/** Slots of a table for each row that it has room for, so that most rows are found at once. */
const slotsARow = 2;
const smallest = 1024;

/** Index of a row that was found, or -1. */
export type Row = number;

/**
 * Airings by what they are, and texts by what they say: those in service, then what a pass meets. Each is some 60
 * bytes, no object: a guide of a million programmes fits.
 */
export class Airings {
  #count = 0;
  /** As in `PackedAirings`. */
  #rows: PackedAirings;
  /** Index of a row + 1, by its airing and by its hash. Open addressing: the next free slot is taken. */
  #byAiring: Int32Array;
  #byHash: Int32Array;
  #seen: Uint8Array;

  /** @param known those in service, in parts. */
  constructor(known: readonly PackedAirings[]) {
    const count = known.reduce((sum, { length }) => sum + length, 0) / rowSize;
    const room = Math.max(smallest, 2 ** Math.ceil(Math.log2(count + 1)));
    this.#rows = new Float64Array(room * rowSize);
    for (const part of known) {
      this.#rows.set(part, this.#count * rowSize);
      this.#count += part.length / rowSize;
    }
    this.#seen = new Uint8Array(room);
    this.#byAiring = new Int32Array(room * slotsARow);
    this.#byHash = new Int32Array(room * slotsARow);
    this.#index();
  }

  /** The row of an airing, or -1. */
  find(channel: number, start: number, stop: number, hash: number): Row {
    const mask = this.#byAiring.length - 1;
    for (let slot = mixed(channel, start, hash) & mask; ; slot = (slot + 1) & mask) {
      const row = (this.#byAiring[slot] ?? 0) - 1;
      if (row < 0) return -1;
      const at = row * rowSize;
      const rows = this.#rows;
      if (rows[at + 3] === hash && rows[at + 1] === start && rows[at] === channel && rows[at + 2] === stop) return row;
    }
  }

  /** The text of a content, or 0. */
  textOf(hash: number): number {
    const mask = this.#byHash.length - 1;
    for (let slot = mixed(0, 0, hash) & mask; ; slot = (slot + 1) & mask) {
      const row = (this.#byHash[slot] ?? 0) - 1;
      if (row < 0) return 0;
      if (this.#rows[row * rowSize + 3] === hash) return this.#rows[row * rowSize + 4] ?? 0;
    }
  }

  /** A new one; it counts as seen. */
  add(channel: number, start: number, stop: number, hash: number, text: number): void {
    if (this.#count === this.#seen.length) this.#grow();
    const row = this.#count;
    const at = row * rowSize;
    const rows = this.#rows;
    rows[at] = channel;
    rows[at + 1] = start;
    rows[at + 2] = stop;
    rows[at + 3] = hash;
    rows[at + 4] = text;
    this.#seen[row] = 1;
    this.#count += 1;
    this.#place(row);
  }

  /** Marks it as seen; false when it was already. */
  see(row: Row): boolean {
    if (this.#seen[row] === 1) return false;
    this.#seen[row] = 1;
    return true;
  }

  /** Those that were not seen, each as five numbers, and only those that are asked for by channel, start and stop. */
  unseen(isWanted: (channel: number, start: number, stop: number) => boolean): PackedAirings {
    const rows: number[] = [];
    for (let row = 0; row < this.#count; row += 1) {
      if (this.#seen[row] === 1) continue;
      const at = row * rowSize;
      const number = (index: number) => this.#rows[at + index] ?? 0;
      if (isWanted(number(0), number(1), number(2))) rows.push(number(0), number(1), number(2), number(3), number(4));
    }
    return Float64Array.from(rows);
  }

  #index(): void {
    for (let row = 0; row < this.#count; row += 1) this.#place(row);
  }

  #place(row: Row): void {
    const at = row * rowSize;
    const hash = this.#rows[at + 3] ?? 0;
    put(this.#byAiring, mixed(this.#rows[at] ?? 0, this.#rows[at + 1] ?? 0, hash), row);
    put(this.#byHash, mixed(0, 0, hash), row);
  }

  #grow(): void {
    const [rows, seen] = [this.#rows, this.#seen];
    const room = seen.length * 2;
    this.#rows = new Float64Array(room * rowSize);
    this.#rows.set(rows);
    this.#seen = new Uint8Array(room);
    this.#seen.set(seen);
    this.#byAiring = new Int32Array(room * slotsARow);
    this.#byHash = new Int32Array(room * slotsARow);
    this.#index();
  }
}

function put(slots: Int32Array, mix: number, row: Row): void {
  const mask = slots.length - 1;
  let slot = mix & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = row + 1;
}

/** The hash is even already; airings of one content differ by channel and start. */
function mixed(channel: number, start: number, hash: number): number {
  const mix = Math.imul(channel, 0x9e3779b1) ^ Math.imul(start | 0, 0x85ebca6b) ^ (hash | 0) ^ ((hash / 2 ** 32) | 0);
  return (mix ^ (mix >>> 15)) >>> 0;
}
