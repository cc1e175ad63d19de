/** Small steps over a line, each of which goes forward only: a line of a megabyte takes a megabyte's time. */

const tab = 0x09;
const carriageReturn = 0x0d;
const space = 0x20;

/** Blanks as `\s` has them. */
export function isBlank(code: number): boolean {
  if (code === space || (code >= tab && code <= carriageReturn)) return true;
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code));
}

export function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Where a run of letters, digits, `_` and `-` from `start` on ends. */
export function skipWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && isWord(text.charCodeAt(at))) at += 1;
  return at;
}

function isWord(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d;
}

/** Whether `word =` stands there, blanks before it skipped; then where its value starts, blanks before that not skipped. */
export function findKey(text: string, start: number): { readonly start: number; readonly value: number } | null {
  const word = skipBlanks(text, start);
  const end = skipWord(text, word);
  if (end === word) return null;
  const equals = skipBlanks(text, end);
  return text.charAt(equals) === '=' ? { start: word, value: equals + 1 } : null;
}
