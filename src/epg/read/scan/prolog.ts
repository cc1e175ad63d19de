import { createTranscoder, headSize, wideEncoding } from './utf16.js';

/** XML 1.0 §2.8; blanks and a byte order mark before it are wrong, and are met. */
const declaration = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']\s*([A-Za-z][\w.:-]*)/;
const nothing = new Uint8Array(0);

/** Looks at the first bytes of a guide for how the others are written. */
export class Prolog {
  /** The encoding that is declared, in small letters; `utf-8` of what was UTF-16; null when it is not, or not known yet. */
  declared: string | null = null;
  /** Null once there was enough of it. */
  #head: Uint8Array | null = nothing;
  #transcode: ((chunk: Uint8Array | null) => Uint8Array) | null = null;

  /** What can be read now, in pieces: bytes in which ASCII is ASCII. Null is the end of the guide. */
  take(chunk: Uint8Array | null): Uint8Array[] {
    if (this.#head === null) return [this.#plain(chunk)];
    const missing = headSize - this.#head.length;
    const head = Buffer.concat([this.#head, (chunk ?? nothing).subarray(0, missing)]);
    this.#head = head;
    if (chunk !== null && chunk.length < missing) return [];
    this.#head = null;
    const wide = wideEncoding(head);
    if (wide !== null) this.#transcode = createTranscoder(wide);
    this.declared = wide === null ? declaredIn(head) : 'utf-8';
    return [this.#plain(head), this.#plain(chunk?.subarray(missing) ?? null)];
  }

  #plain(chunk: Uint8Array | null): Uint8Array {
    return this.#transcode?.(chunk) ?? chunk ?? nothing;
  }
}

function declaredIn(head: Buffer): string | null {
  return declaration.exec(head.toString('latin1'))?.[1]?.toLowerCase() ?? null;
}
