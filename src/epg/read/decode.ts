import { isAscii, isUtf8 } from 'node:buffer';
import { decoderOf, guessEncoding } from '../../lib/encoding.js';
import type { Tell } from './entities.js';

/** Names of encodings: what the source of a guide is set to, and what its prolog declares. */
export type Encodings = { readonly encoding: string | null; readonly declared: string | null };

/** Bytes of elements, one behind the other: element i is [ends[i − 1] ?? 0, ends[i]). */
export type ElementBytes = { readonly bytes: Uint8Array; readonly ends: ArrayLike<number> };

/**
 * What turns elements of a guide into text, by their place. What is valid UTF-8 is read so, whatever is declared: by chance
 * hardly any other text is. All else is read as the source is set to, else as the guide declares, else as what it looks like.
 * A guess and a declaration that is wrong are told.
 */
export function elementDecoder({ encoding, declared }: Encodings, { bytes, ends }: ElementBytes) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const other = declared === null || /^utf-?8$/i.test(declared) ? null : declared;
  const label = encoding ?? other;
  const known = label === null ? null : decoderOf(label);
  // Looked at together, for nearly always all of them are.
  const isAllUtf8 = isUtf8(buffer);
  let guessed: string | null = null;
  return (index: number, tell: Tell): string => {
    const [from, to] = [ends[index - 1] ?? 0, ends[index] ?? 0];
    if (isAllUtf8 && other === null) return buffer.toString('utf8', from, to);
    const element = buffer.subarray(from, to);
    if (isAllUtf8 || isUtf8(element)) {
      if (other !== null && !isAscii(element)) tell('wrong-encoding', `It declares ${other}, but is UTF-8.`);
      return element.toString('utf8');
    }
    if (known !== null) return known(element);
    guessed ??= guessEncoding(foreign(buffer, ends));
    tell('wrong-encoding', `It is neither UTF-8 nor what it declares, and is read as ${guessed}.`);
    return (decoderOf(guessed) ?? decodeUtf8)(element);
  };
}

function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/** The elements that are not UTF-8. */
function foreign(buffer: Buffer, ends: ArrayLike<number>): Uint8Array[] {
  return Array.from(ends, (to, index) => buffer.subarray(ends[index - 1] ?? 0, to)).filter((one) => !isUtf8(one));
}
