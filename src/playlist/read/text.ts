/** Turns the bytes of a line that is not UTF-8 into text. */
export type FallbackDecoder = (bytes: Uint8Array) => string;

/** What Windows-1252 has at 0x80…0x9F; all other bytes are as in ISO 8859-1. */
const cp1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Windows-1252, by hand: the decoder of Node 20 leaves 0x80…0x9F as control characters. */
export function decodeCp1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return latin1.replace(/[\u0080-\u009f]/g, (char) => cp1252.charAt(char.charCodeAt(0) - 0x80));
}

/**
 * Bytes to text: UTF-16 where a byte order mark says so, else UTF-8. Lists are merged from many: a line that is not
 * valid UTF-8 is read by `fallback`, the lines around it are not touched.
 */
export function decodeText(bytes: Uint8Array, fallback: FallbackDecoder = decodeCp1252): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return decodeUtf8(bytes) ?? decodeLines(bytes, fallback);
}

/** A line that is not blank. */
export type Line = {
  /** Without blanks around it. */
  readonly text: string;
  /** The first line of the text is 1; blank ones count. */
  readonly number: number;
  /** Where it stands in the whole text, its end not included. */
  readonly start: number;
  readonly end: number;
};

/** Lines end at `\n`, `\r\n`, `\r` or U+2028. */
export function* eachLine(whole: string): Generator<Line> {
  const lineEnd = /\r\n|[\n\r\u2028]|$/g;
  let number = 0;
  for (let start = 0; start < whole.length; start = lineEnd.lastIndex) {
    lineEnd.lastIndex = start;
    const end = lineEnd.exec(whole)?.index ?? whole.length;
    number += 1;
    const text = whole.slice(start, end).trim();
    if (text !== '') yield { text, number, start, end };
    if (end === whole.length) return;
  }
}

/** Null when it is not valid. A byte order mark is dropped. */
function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeLines(bytes: Uint8Array, fallback: FallbackDecoder): string {
  const lines: string[] = [];
  let start = 0;
  while (start < bytes.length) {
    const end = lineEnd(bytes, start);
    const line = bytes.subarray(start, end);
    lines.push(decodeUtf8(line) ?? fallback(line));
    start = end;
  }
  return lines.join('');
}

/** Just behind the next line feed or carriage return. */
function lineEnd(bytes: Uint8Array, start: number): number {
  for (let index = start; index < bytes.length; index += 1) {
    if (bytes[index] === 0x0a || bytes[index] === 0x0d) return index + 1;
  }
  return bytes.length;
}
