/** Writes that are on their way: so many that neither side waits for the other, and no more. */
export class InFlight {
  readonly #most: number;
  readonly #sent: Promise<unknown>[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when there is room for the next. @throws what an earlier one met. */
  async add(write: Promise<unknown>): Promise<void> {
    // It is thrown to whoever waits for it, which may be later.
    write.catch(() => undefined);
    this.#sent.push(write);
    if (this.#sent.length > this.#most) await this.#sent.shift();
  }

  /** When all are done. @throws what one of them met. */
  async end(): Promise<void> {
    await Promise.all(this.#sent.splice(0));
  }
}
