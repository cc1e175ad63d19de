/** Milliseconds that a client has to come back. */
const patience = 10_000;

/** Where archives were cut off, for the client who asks for the same once more. */
export class ResumePoints {
  /** By client and what it asked for. */
  readonly #points = new Map<string, { readonly seconds: number; readonly until: number }>();

  /** `seconds` of the plan were played; `now` in milliseconds. */
  remember(key: string, seconds: number, now: number): void {
    for (const [other, { until }] of this.#points) if (until < now) this.#points.delete(other);
    this.#points.set(key, { seconds, until: now + patience });
  }

  /** Whole seconds that need not be played again, once; 0 when nothing was cut off, or too long ago. */
  take(key: string, now: number): number {
    const point = this.#points.get(key);
    this.#points.delete(key);
    return point === undefined || point.until < now ? 0 : Math.floor(point.seconds);
  }
}
