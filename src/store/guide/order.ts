/** Places that an order may have. */
const most = 2 ** 17;

/** Numbers things from 0 on, and tells their numbers in the order of a key each: 8 bytes a thing, sorted as fast as numbers are. */
export class Order {
  /** Of each thing `key * most + number`. */
  readonly #keys: Float64Array;
  #count = 0;

  /** @param size how many things there may be, up to 2 ** 17. */
  constructor(size: number) {
    this.#keys = new Float64Array(size);
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === this.#keys.length;
  }

  /** @param key an integer of 36 bits. @returns the number of the thing. */
  add(key: number): number {
    const number = this.#count;
    this.#keys[number] = key * most + number;
    this.#count += 1;
    return number;
  }

  sort(): void {
    this.#keys.subarray(0, this.#count).sort();
  }

  /** The number of what stands at a place, once it is sorted. */
  at(place: number): number {
    return (this.#keys[place] ?? 0) & (most - 1);
  }
}
