/** Accents of Latin, Greek and Cyrillic; marks that make another letter, as in が or ข้, stay. Then what is not seen at all. */
const marks = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]|\p{Cf}/gu;
/** Letters that Unicode does not take apart, by what people type for them. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const folded = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu');

/** By unit, what becomes of a letter or sign of Latin, which changes nothing that stands beside it. */
const latinForms: string[] = [];
const latinEnd = 0x250;

/** A text without case, width and accents: `Zoë` and `ＺＯＥ` become `zoe`. Chinese, Japanese and Korean stay as they are. */
export function fold(text: string): string {
  return isAscii(text) ? text.toLowerCase() : (foldLatin(text) ?? foldAny(text));
}

/** Null when there is more in it than Latin: that depends on what stands beside it, and takes ten times as long. */
function foldLatin(text: string): string | null {
  const lower = text.toLowerCase();
  let form = '';
  let from = 0;
  for (let index = 0; index < lower.length; index += 1) {
    const unit = lower.charCodeAt(index);
    if (unit >= latinEnd) return null;
    if (unit < 0x80) continue;
    latinForms[unit] ??= foldAny(lower.charAt(index));
    form += lower.slice(from, index) + latinForms[unit];
    from = index + 1;
  }
  return form + lower.slice(from);
}

function foldAny(text: string): string {
  const bare = text.normalize('NFKD').replace(marks, '').toLowerCase().normalize('NFKD').replace(marks, '');
  return bare.replace(folded, (letter) => letters[letter] ?? letter).normalize('NFKC');
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) return false;
  }
  return true;
}

/** What a channel is found by, in one line: the words of its names, its number and its guide id, in the form of `searchWords`. */
export function searchText(channel: {
  readonly name: string;
  /** What the provider calls it. */
  readonly saidName: string;
  readonly number: string | null;
  readonly tvgId: string | null;
}): string {
  const { name, saidName, number, tvgId } = channel;
  let text = simplified(name);
  for (const other of [saidName === name ? null : saidName, number, tvgId]) {
    const more = other === null || other === name ? '' : simplified(other);
    if (more !== '') text += text === '' ? more : ` ${more}`;
  }
  return text;
}

/** The words of a query: all of them have to be contained in a channel's `searchText`. Signs alone are no word. */
export function searchWords(query: string): string[] {
  return [...new Set(simplified(query).split(' '))].filter((word) => word !== '');
}

/**
 * Words with one blank between them. A hyphen more or less is no difference: `CCTV-1` is found as cctv1. A point is one,
 * as 7.1 is not 71, and so is `+`.
 */
export function simplified(text: string): string {
  const lower = fold(text);
  if (!isAscii(lower)) return lower.replace(signs, '').replace(/\s+/gu, ' ').trim();
  return plain.test(lower) ? lower : lower.replace(asciiSigns, '').replace(/\s+/g, ' ').trim();
}

const signs = /(?![.+])[\p{P}\p{S}]/gu;
/** The same of ASCII, which is found in a quarter of the time. */
const asciiSigns = /[!-*,\-/:-@[-`{-~]/g;
const plain = /^[a-z0-9.+]+(?: [a-z0-9.+]+)*$/;
