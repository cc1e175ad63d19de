import { fold } from './search.js';

/** Three letters, two that are no code of ISO 3166, and a name that was given up, as lists write them before names. */
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
  turkey: 'tr',
};
/** Languages that lists and their groups are written in. */
const languages = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'pl',
  'tr',
  'ru',
  'uk',
  'el',
  'ar',
  'zh',
  'sv',
  'da',
  'ro',
  'hu',
  'cs',
];
/** Codes of countries that mean something else in names and guide ids of channels: television, definition, radio. */
const ambiguous = new Set(['tv', 'sd', 'fm', 'am']);

let known: ReadonlyMap<string, string> | undefined;

/** The ISO 3166 code of a country, in lower case, by its code, `UK` too, or a name of it; null for anything else. */
export function countryOf(text: string): string | null {
  known ??= countries();
  return known.get(fold(text).trim()) ?? null;
}

function countries(): Map<string, string> {
  const names = languages.map((language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }));
  const found = new Map(Object.entries(others));
  const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
  for (const code of alphabet.flatMap((first) => alphabet.map((second) => first + second))) {
    const iso = others[code] ?? current(code);
    const region = code.toUpperCase();
    if (names[0]?.of(region) === undefined) continue;
    for (const name of names) found.set(fold(name.of(region) ?? code), iso);
    if (!ambiguous.has(code)) found.set(code, iso);
  }
  return found;
}

/** That which an id such as `bbcone.uk`, or `bbcone.uk@hd`, ends in; null where it ends in none. */
export function countryOfId(id: string | null): string | null {
  const code = id === null ? undefined : /\.([a-z]{2})(?:@.*)?$/u.exec(fold(id))?.[1];
  return code === undefined ? null : countryOf(code);
}

/** The one that is said; null where none is, or several are. */
export function onlyCountry(said: readonly (string | null)[]): string | null {
  const found = new Set(said.filter((country) => country !== null));
  return found.size === 1 ? ([...found][0] ?? null) : null;
}

/** Codes that were given up, such as those of East Germany and of France without its islands, have the name of what is there now. */
function current(code: string): string {
  return new Intl.Locale(`und-${code}`).region?.toLowerCase() ?? code;
}
