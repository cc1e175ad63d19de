/**
 * Where some bytes stand next in a window that moves over a stream. What was looked through once is not looked through again,
 * so cursors of what is rare cost as good as nothing. Places that are asked for never go back, unless after `reset`.
 */
export class Cursor {
  readonly #needle: Uint8Array | number;
  /** Bytes of what is searched. */
  readonly size: number;
  /** The next hit, −1 when none is known; nothing begins before `#clear`. */
  #hit = -1;
  #clear = 0;

  /** @param needle text, best of seven bytes or more, as shorter ones are searched slowly; or one byte. */
  constructor(needle: string | number) {
    this.#needle = typeof needle === 'string' ? Buffer.from(needle) : needle;
    this.size = typeof needle === 'string' ? needle.length : 1;
  }

  /** The first one at or behind `from`; −1 when the window has none. */
  find(window: Buffer, from: number): number {
    if (this.#hit >= from) return this.#hit;
    const start = Math.max(from, this.#clear);
    this.#hit = start < window.length ? window.indexOf(this.#needle, start) : -1;
    if (this.#hit < 0) this.#clear = Math.max(start, window.length - this.size + 1);
    return this.#hit;
  }

  /** The window moved on by so many bytes. */
  shift(bytes: number): void {
    this.#hit = Math.max(-1, this.#hit - bytes);
    this.#clear = Math.max(0, this.#clear - bytes);
  }

  reset(): void {
    this.#hit = -1;
    this.#clear = 0;
  }
}
