/** The lines of a text that are not blank, one after another. They end at `\n`, `\r\n`, `\r`, U+2028 or U+2029. */
export class Lines {
  /** Of the line that was given last: the first of the text is 1, and blank ones count. */
  number = 0;
  readonly #text: string;
  readonly #hasOtherEnds: boolean;
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#hasOtherEnds =
      text.includes('\u2028') || text.includes('\u2029') || (text.includes('\r') && /\r(?!\n)/.test(text));
  }

  /** The next one, without blanks around it; null behind the last. */
  next(): string | null {
    const text = this.#text;
    while (this.#next < text.length) {
      const start = this.#next;
      const end = this.#hasOtherEnds ? this.#anyEnd(start) : text.indexOf('\n', start);
      this.#next = end < 0 ? text.length : end + 1;
      this.number += 1;
      const line = text.slice(start, end < 0 ? text.length : end).trim();
      if (line !== '') return line;
    }
    return null;
  }

  /** Where the last character of the next line end stands; the `\r` of a `\r\n` is cut off with the blanks. */
  #anyEnd(start: number): number {
    const text = this.#text;
    for (let at = start; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 0x0a || code === 0x2028 || code === 0x2029) return at;
      if (code === 0x0d) return text.charCodeAt(at + 1) === 0x0a ? at + 1 : at;
    }
    return -1;
  }
}
