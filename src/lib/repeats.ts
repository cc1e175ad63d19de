/** Milliseconds. */
const period = 1000;

/** Reports what may happen very often: the first of a kind at once, its repetitions counted, once a second. */
export class Repeats {
  readonly #report: (what: string, times: number) => void;
  /** Repetitions not reported yet, by what happened. */
  readonly #counts = new Map<string, number>();

  constructor(report: (what: string, times: number) => void) {
    this.#report = report;
  }

  add(what: string): void {
    const count = this.#counts.get(what);
    this.#counts.set(what, (count ?? -1) + 1);
    if (count !== undefined) return;
    this.#report(what, 1);
    this.#wait(what);
  }

  #wait(what: string): void {
    setTimeout(() => {
      const times = this.#counts.get(what) ?? 0;
      this.#counts.delete(what);
      if (times === 0) return;
      this.#report(what, times);
      this.#counts.set(what, 0);
      this.#wait(what);
    }, period).unref();
  }
}
