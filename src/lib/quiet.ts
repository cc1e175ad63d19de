/** Calls back once nothing was reported for a while: many changes in a row are one. */
export class Quiet {
  readonly #milliseconds: number;
  readonly #settled: () => void;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(milliseconds: number, settled: () => void) {
    this.#milliseconds = milliseconds;
    this.#settled = settled;
  }

  /** Something changed. */
  disturb(): void {
    clearTimeout(this.#timer);
    if (!this.#ended) this.#timer = setTimeout(this.#settled, this.#milliseconds).unref();
  }

  /** It never calls back again. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }
}
