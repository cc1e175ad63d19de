/** Words for numbers, as stations write them behind their names: `BBC One`, `Rai Uno`, `ITV Four`, `Россия Два`. */
const words: Readonly<Record<string, string>> = {
  ...numbered('one two three four five six seven eight nine ten'),
  ...numbered('un deux trois quatre cinq'),
  ...numbered('uno due tre quattro cinque'),
  ...numbered('uno dos tres cuatro cinco'),
  ...numbered('um dois tres quatro cinco'),
  ...numbered('eins zwei drei vier funf'),
  ...numbered('een twee drie vier vijf'),
  ...numbered('один два три четыре пять'),
};
/** Those of one letter, and `vi`, are words or names as often. */
const roman: Readonly<Record<string, string>> = { ii: '2', iii: '3', iv: '4', vii: '7', viii: '8', ix: '9' };
/** Counted by what stands behind: 一套, 二台, 三频道. */
const hanCounted = /第?([一二三四五六七八九十]{1,2})(?:套|台|频道|頻道)/gu;
const hanDigits = '零一二三四五六七八九';
/** Written without a blank before it, as in RTLZWEI. No other word for a number ends names alone. */
const glued = /^(\p{L}{2,})(zwei)$/u;

function numbered(list: string): Record<string, string> {
  return Object.fromEntries(list.split(' ').map((word, index) => [word, String(index + 1)]));
}

/** The number that a folded word stands for behind a name, or null. */
export function numberOfWord(word: string): string | null {
  return words[word] ?? roman[word] ?? null;
}

/** `rtlzwei` as `rtl` and `zwei`. */
export function withoutGlued(word: string): readonly string[] {
  const [, name, number] = glued.exec(word) ?? [];
  return name === undefined || number === undefined ? [word] : [name, number];
}

/** `央视一套` as `央视1`. */
export function hanNumbers(text: string): string {
  return text.replace(hanCounted, (_, digits: string) => String(valueOfHan(digits)));
}

function valueOfHan(digits: string): number {
  const ten = digits.indexOf('十');
  if (ten < 0) return Number([...digits].map((digit) => hanDigits.indexOf(digit)).join(''));
  const tens = ten === 0 ? 1 : hanDigits.indexOf(digits.charAt(0));
  return tens * 10 + (ten + 1 < digits.length ? hanDigits.indexOf(digits.charAt(ten + 1)) : 0);
}
