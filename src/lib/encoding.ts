import { isUtf8 } from 'node:buffer';

/** How lines that are not UTF-8 are read. */
export type Encoding = 'windows-1252' | 'gb18030';

/** What Windows-1252 has at 0x80…0x9F; all other bytes are as in ISO 8859-1. */
const cp1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Bytes to text: UTF-16 where a byte order mark or the place of its zeros says so, else UTF-8. Lists are merged from many:
 * lines that are valid UTF-8 are kept as they are, and all others together are read as `encoding`, or as what they look like.
 */
export function decodeText(bytes: Uint8Array, encoding: Encoding | null): string {
  const wide = wideEncoding(bytes);
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  if (isUtf8(bytes)) return decodeUtf8(bytes);
  const pieces = splitByEncoding(bytes);
  const foreign = pieces.filter(({ isUtf8 }) => !isUtf8).map((piece) => piece.bytes);
  const decode = (encoding ?? guess(foreign)) === 'gb18030' ? decodeGb18030 : decodeCp1252;
  return pieces.map((piece) => (piece.isUtf8 ? decodeUtf8(piece.bytes) : decode(piece.bytes))).join('');
}

/**
 * What decodes an encoding, by any name that the WHATWG Encoding Standard (§4.2) has for it; null when it has none. Bytes
 * that mean nothing become U+FFFD. Windows-1252 is also what ISO 8859-1 and ASCII mean.
 */
export function decoderOf(label: string): ((bytes: Uint8Array) => string) | null {
  try {
    const decoder = new TextDecoder(label);
    if (decoder.encoding === 'windows-1252') return decodeCp1252;
    return decoder.encoding === 'utf-8' ? decodeUtf8 : (bytes) => decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** What bytes that are not UTF-8 look like: Cyrillic, Chinese or Western text. */
export function guessEncoding(pieces: readonly Uint8Array[]): Encoding | 'windows-1251' {
  return looksCyrillic(pieces) ? 'windows-1251' : guess(pieces);
}

/** Letters of Windows-1251 stand in words of them alone, and most are small ones, from 0xE0 on; few common characters of GB 2312 begin there. */
function looksCyrillic(pieces: readonly Uint8Array[]): boolean {
  let [high, small, words] = [0, 0, 0];
  for (const piece of pieces) {
    let before = 0;
    for (const byte of piece.subarray(0, sample)) {
      if (byte >= 0x80) high += 1;
      if (byte >= 0xe0) small += 1;
      if (byte >= 0x80 && before < 0x80) words += 1;
      before = byte;
    }
  }
  return small > 0.6 * high && high >= 2.5 * words;
}

/** UTF-16 by its mark, or because every other byte of its start, mostly ASCII, is zero. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, 1024);
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < head.length / 8) return null;
  if (odd > 10 * even) return 'utf-16le';
  return even > 10 * odd ? 'utf-16be' : null;
}

type Piece = { readonly isUtf8: boolean; readonly bytes: Uint8Array };

/** Lines in their order, neighbours of one kind joined. */
function splitByEncoding(bytes: Uint8Array): Piece[] {
  const end = bytes.includes(lineFeed) ? lineFeed : carriageReturn;
  const pieces: Piece[] = [];
  let pieceStart = 0;
  let isValid = true;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(end, start);
    const next = found < 0 ? bytes.length : found + 1;
    const isLineValid = isUtf8(bytes.subarray(start, next));
    if (isLineValid !== isValid) {
      pieces.push({ isUtf8: isValid, bytes: bytes.subarray(pieceStart, start) });
      pieceStart = start;
      isValid = isLineValid;
    }
    start = next;
  }
  pieces.push({ isUtf8: isValid, bytes: bytes.subarray(pieceStart) });
  return pieces;
}

/** Leaves text of ASCII alone at a byte a character, which a TextDecoder does not. A byte order mark is a blank. */
function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function decodeGb18030(bytes: Uint8Array): string {
  return new TextDecoder('gb18030').decode(bytes);
}

/** Windows-1252, by hand: the decoder of Node 20 leaves 0x80…0x9F as control characters. */
function decodeCp1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return latin1.replace(/[\u0080-\u009f]/g, (char) => cp1252.charAt(char.charCodeAt(0) - 0x80));
}

/** Bytes that are looked at before deciding. */
const sample = 1024 * 1024;

/**
 * Chinese text is pairs of bytes, nearly all of them the common characters of GB 2312, rows 16 to 55. In Western text a
 * letter with an accent stands between letters of ASCII, blanks and commas, and two side by side are rare.
 */
function guess(pieces: readonly Uint8Array[]): Encoding {
  let left = sample;
  let balance = 0;
  for (const piece of pieces) {
    const bytes = piece.subarray(0, left);
    for (let at = 0; at < bytes.length; at += 1) {
      const first = bytes[at] ?? 0;
      if (first < 0x80) continue;
      const second = bytes[at + 1] ?? 0;
      balance += isInWord(bytes, at) ? -1 : weigh(first, second);
      if (second >= 0x80) at += 1;
    }
    left -= bytes.length;
  }
  return balance > 0 ? 'gb18030' : 'windows-1252';
}

/** Whether just two bytes stand between letters of ASCII: those of `INFORMAÇÃO`, as Chinese text is longer. */
function isInWord(bytes: Uint8Array, at: number): boolean {
  if ((bytes[at + 1] ?? 0) < 0x80) return false;
  return isLetter(bytes[at - 1] ?? 0) && isLetter(bytes[at + 2] ?? 0);
}

function isLetter(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

/** What a byte that is none of ASCII, and the one behind it, say: above 0 for Chinese, below for Western text. */
function weigh(first: number, second: number): number {
  if (second >= 0x80) {
    const isCommonHanzi = first >= 0xb0 && first <= 0xd7 && second >= 0xa1;
    // Two accented small letters side by side look like a rare one.
    return isCommonHanzi ? 1 : 0.25;
  }
  if (isLetter(second)) return first >= 0xc0 ? -1 : 0;
  const cannotFollow = second < 0x30 || (second > 0x39 && second < 0x40);
  return cannotFollow ? -1 : 0;
}
