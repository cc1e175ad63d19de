import { fold } from './search.js';

/** Three letters, and two that are no code of ISO 3166, that lists write before names. */
const others: Readonly<Record<string, string>> = {
  uk: 'gb',
  usa: 'us',
  ger: 'de',
  deu: 'de',
  fra: 'fr',
  ita: 'it',
  esp: 'es',
  por: 'pt',
  pol: 'pl',
  tur: 'tr',
  nld: 'nl',
  ned: 'nl',
  bel: 'be',
  aut: 'at',
  sui: 'ch',
  swe: 'se',
  nor: 'no',
  den: 'dk',
  fin: 'fi',
  rou: 'ro',
  rom: 'ro',
  gre: 'gr',
  bul: 'bg',
  alb: 'al',
  rus: 'ru',
  ukr: 'ua',
  bra: 'br',
  arg: 'ar',
  mex: 'mx',
  can: 'ca',
  aus: 'au',
  chn: 'cn',
  jpn: 'jp',
  kor: 'kr',
};
/** Codes of countries that mean something else in names and guide ids of channels: television, definition, radio. */
const ambiguous = new Set(['tv', 'sd', 'fm', 'am']);

let known: ReadonlyMap<string, string> | undefined;

/** The ISO 3166 code of a country, in lower case, by its code, `UK` too, or its English name; null for anything else. */
export function countryOf(text: string): string | null {
  known ??= countries();
  return known.get(fold(text).trim()) ?? null;
}

function countries(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const found = new Map(Object.entries(others));
  const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
  for (const code of alphabet.flatMap((first) => alphabet.map((second) => first + second))) {
    const name = names.of(code.toUpperCase());
    if (name === undefined) continue;
    const iso = others[code] ?? code;
    found.set(fold(name), iso);
    if (!ambiguous.has(code)) found.set(code, iso);
  }
  return found;
}
