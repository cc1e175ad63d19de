/** Letters of Cyrillic and Greek by those that English texts write for them (BGN/PCGN and ELOT 743, without their exceptions). */
const letters: Readonly<Record<string, string>> = {
  ...pairs('абвгдезиклмнопрстуфы', 'abvgdeziklmnoprstufy'),
  ...{ ж: 'zh', й: 'y', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch', ъ: '', ь: '', э: 'e', ю: 'yu', я: 'ya' },
  ...{ і: 'i', є: 'ye', ґ: 'g', ј: 'j', љ: 'lj', њ: 'nj', ђ: 'dj', ћ: 'c', џ: 'dz' },
  ...pairs('αβγδεζηικλμνξοπρστυφω', 'avgdeziiklmnxoprstyfo'),
  ...{ θ: 'th', σ: 's', χ: 'ch', ψ: 'ps' },
};
const known = /[\p{sc=Cyrillic}\p{sc=Greek}]/gu;
const foreign = /[\p{sc=Cyrillic}\p{sc=Greek}]/u;

function pairs(from: string, to: string): Record<string, string> {
  return Object.fromEntries([...from].map((letter, index) => [letter, to.charAt(index)]));
}

/** A folded text in Latin letters; null where it is in none of these scripts. */
export function transliterated(text: string): string | null {
  return foreign.test(text) ? text.replace(known, (letter) => letters[letter] ?? letter) : null;
}
