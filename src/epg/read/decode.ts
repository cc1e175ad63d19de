import { isAscii, isUtf8 } from 'node:buffer';
import { decoderOf, guessEncoding } from '../../lib/encoding.js';
import type { Tell } from './entities.js';

/** Names of encodings: what the source of a guide is set to, and what its prolog declares. */
export type Encodings = { readonly encoding: string | null; readonly declared: string | null };

/**
 * What turns elements of a guide into text. What is valid UTF-8 is read so, whatever is declared: by chance hardly any
 * other text is. All else is read as the source is set to, else as the guide declares, else as what it looks like; `sample`
 * are elements that are looked at for that. A guess and a declaration that is wrong are told.
 */
export function elementDecoder({ encoding, declared }: Encodings, sample: readonly Uint8Array[]) {
  const other = declared === null || /^utf-?8$/i.test(declared) ? null : declared;
  const label = encoding ?? other;
  const known = label === null ? null : decoderOf(label);
  let guessed: string | null = null;
  return (bytes: Uint8Array, tell: Tell): string => {
    if (isUtf8(bytes)) {
      if (other !== null && !isAscii(bytes)) tell('wrong-encoding', `It declares ${other}, but is UTF-8.`);
      return decodeUtf8(bytes);
    }
    if (known !== null) return known(bytes);
    guessed ??= guessEncoding(sample.filter((one) => !isUtf8(one)));
    tell('wrong-encoding', `It is neither UTF-8 nor what it declares, and is read as ${guessed}.`);
    return (decoderOf(guessed) ?? decodeUtf8)(bytes);
  };
}

function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
