import { titleWords } from '../../model/title.js';
import { hanNumbers, numberOfWord, withoutGlued } from './numbers.js';
import { transliterated } from './transliterate.js';

/** What one name of a channel says. */
export type Name = {
  /** As it was written. */
  readonly text: string;
  /** Its words, each once, without numbers, shift and feed; Chinese by pairs of characters. */
  readonly words: readonly string[];
  /** All of it in one: two names with the same are the same name. Empty for a name of nothing but signs. */
  readonly bare: string;
  /** The words alone in one. */
  readonly core: string;
  /** Its numbers, sorted, each as often as it stands there; `5+` is one. */
  readonly numbers: string;
  /** Hours that it is late. */
  readonly shift: number;
  /** Of stations with several: east, west, europe… */
  readonly feed: string | null;
  /** ISO 3166, in lower case, or null. */
  readonly country: string | null;
  /** Whether a word says that it is heard only. */
  readonly radio: boolean;
  /** Whether it was written in other letters than it stands here. */
  readonly isTransliterated: boolean;
};

/** Runs of one kind: a shift, a number with its plus, Chinese characters, anything else. */
const run = /⊕\d+|\d+\+?|\p{sc=Han}+|[^\d⊕\p{sc=Han}]+/gu;
const han = /^\p{sc=Han}/u;
/** What a name may end in or not. */
const fillers = new Set('tv channel kanal canal canale kanali television network телеканал канал тв 채널'.split(' '));
const hanFiller = /(?<=\p{sc=Han}{2})(?:频道|頻道)$/u;
const feeds: Readonly<Record<string, string>> = {
  east: 'east',
  eastern: 'east',
  west: 'west',
  western: 'west',
  pacific: 'west',
  欧洲: 'europe',
  美洲: 'america',
  亚洲: 'asia',
};
const heard = new Set('radio fm radyo радио ραδιο'.split(' '));
/** China's state television, which is called by its letters as often. */
const stateTelevision = /^(?:中国)?(?:中央电视台|央视|中央(?=\d))/u;

/** Takes a name of a channel apart: as it stands, then without such as `TV` at its end, then both in Latin letters. */
export function readNames(text: string): Name[] {
  const { words, asides, country } = titleWords(text);
  const all = [...partsOf(words), ...partsOf(asides)];
  const shift = Number(all.find((part) => part.startsWith('⊕'))?.slice(1) ?? 0);
  const feed = all.length > 1 ? (all.flatMap((part) => feeds[part] ?? []).at(-1) ?? null) : null;
  const parts = all.filter((part) => !part.startsWith('⊕') && (feed === null || feeds[part] === undefined));
  const shorter = withoutFiller(parts);
  const common = { text, shift, feed, country };
  const names = [parts, ...(shorter === null ? [] : [shorter])].map((some) => nameOf(some, common));
  return [...names, ...names.flatMap((name) => inLatin(name) ?? [])];
}

function nameOf(parts: readonly string[], common: Pick<Name, 'text' | 'shift' | 'feed' | 'country'>): Name {
  const { shift, feed } = common;
  const core = parts.filter((part) => !isNumber(part));
  return {
    ...common,
    words: [...new Set(core.flatMap(pairsOfHan))],
    bare: `${joined(parts)}${shift === 0 ? '' : ` ⊕${shift}`}${feed === null ? '' : ` ${feed}`}`,
    core: core.join(''),
    numbers: parts.filter(isNumber).toSorted().join(' '),
    radio: core.some((word) => heard.has(word)),
    isTransliterated: false,
  };
}

/** Null when it is written in Latin letters, or in Chinese, already. */
function inLatin(name: Name): Name | null {
  const bare = transliterated(name.bare);
  if (bare === null) return null;
  const latin = (text: string) => transliterated(text) ?? text;
  return { ...name, words: name.words.map(latin), bare, core: latin(name.core), isTransliterated: true };
}

function partsOf(words: readonly string[]): string[] {
  const runs = words.flatMap((word) => hanNumbers(word).replace(stateTelevision, 'cctv').match(run) ?? []);
  return runs.flatMap(withoutGlued).map((part, index) => {
    if (isNumber(part)) return part.replace(/^0+(?=\d)/, '');
    const bare = part.replace(hanFiller, '');
    return index === 0 ? bare : (numberOfWord(bare) ?? bare);
  });
}

function isNumber(part: string): boolean {
  return /^\d/.test(part);
}

/** Null where it ends in none, where nothing else is, or a number stands behind it: `Sport TV 1` is not `Sport 1`. */
function withoutFiller(parts: readonly string[]): readonly string[] | null {
  return parts.length > 1 && fillers.has(parts.at(-1) ?? '') ? parts.slice(0, -1) : null;
}

/** Blanks make no difference, but between two numbers: `Sport 1 2` is not `Sport 12`. */
function joined(parts: readonly string[]): string {
  let whole = '';
  for (const part of parts) whole += isNumber(part) && /[\d+]$/.test(whole) ? ` ${part}` : part;
  return whole;
}

/** 湖南卫视 as 湖南, 南卫, 卫视: Chinese has no blanks. */
function pairsOfHan(word: string): string[] {
  const characters = [...word];
  if (!han.test(word) || characters.length < 3) return [word];
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/** A word without the `s` of its plural: `Sport` and `Sports` are two words, and near to one another. */
export function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}
