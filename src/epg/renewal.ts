/** Milliseconds without a change after which guides are made again, and those in which changes may put it off. */
const quiet = 2000;
const patience = 30_000;
const day = 24 * 3600 * 1000;

/** Calls for work once changes have ceased, and at midnight, UTC. */
export class Renewal {
  readonly #now: () => number;
  readonly #work: () => Promise<void>;
  #soon: NodeJS.Timeout | undefined;
  #midnight: NodeJS.Timeout | undefined;
  /** Since when the work is called for; null when it is not. */
  #since: number | null = null;
  #stopped = false;

  /** `now` in milliseconds since the epoch. The work is called again although it may not have ended. */
  constructor(now: () => number, work: () => Promise<void>) {
    this.#now = now;
    this.#work = work;
    this.#awaitMidnight();
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Something changed. */
  soon(): void {
    if (this.#stopped) return;
    this.#since ??= this.#now();
    clearTimeout(this.#soon);
    const left = Math.max(0, this.#since + patience - this.#now());
    this.#soon = setTimeout(() => this.#run(), Math.min(quiet, left)).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#soon);
    clearTimeout(this.#midnight);
  }

  #run(): void {
    this.#since = null;
    void this.#work();
  }

  #awaitMidnight(): void {
    const left = day - (this.#now() % day);
    this.#midnight = setTimeout(() => {
      this.#run();
      this.#awaitMidnight();
    }, left + 1).unref();
  }
}
