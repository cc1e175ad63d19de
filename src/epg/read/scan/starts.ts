/** The elements that are looked for. */
const names = ['<programme', '<channel'].map((name) => Buffer.from(name));
const less = 0x3c;
/** Bytes from one look to the next: as many as the shorter name has pairs of neighbours, so that one pair of each name is met. */
const stride = 7;
/** By two bytes, five bits of each: how far behind its begin a name has them; 0 when none has. No two pairs are the same. */
const places = new Uint8Array(1024);
for (const name of names) for (let place = 1; place <= stride; place += 1) places[pairOf(name, place)] = place;

/**
 * Where elements begin in a window that moves over a stream: at `<programme` or `<channel`, whichever comes first. Only every
 * seventh pair of bytes is looked at. As with a `Cursor`, what was looked through once is not looked through again.
 */
export class Starts {
  /** The next one, −1 when none is known; none is before `#clear`. */
  #hit = -1;
  #clear = 0;

  /** The first one at or behind `from`; −1 when the window has none. */
  find(window: Buffer, from: number): number {
    if (this.#hit >= from) return this.#hit;
    const start = Math.max(from, this.#clear);
    this.#hit = search(window, start);
    // The begin of a name may stand at the end.
    if (this.#hit < 0) this.#clear = Math.max(start, window.length - longestName + 1);
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

const longestName = Math.max(...names.map(({ length }) => length));

function search(window: Buffer, from: number): number {
  for (let at = from + stride; at < window.length; at += stride) {
    const place = places[pairOf(window, at)] ?? 0;
    if (place !== 0 && window[at - place] === less && isStart(window, at - place)) return at - place;
  }
  return -1;
}

function isStart(window: Buffer, at: number): boolean {
  for (const name of names) if (isAt(window, at, name)) return true;
  return false;
}

function isAt(window: Buffer, at: number, name: Buffer): boolean {
  if (at + name.length > window.length) return false;
  for (let index = 1; index < name.length; index += 1) if (window[at + index] !== name[index]) return false;
  return true;
}

/** What stands at a place and before it. */
function pairOf(bytes: Uint8Array, at: number): number {
  return (((bytes[at - 1] ?? 0) & 31) << 5) | ((bytes[at] ?? 0) & 31);
}
