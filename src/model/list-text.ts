/** Quick tests, so that most names of a long list are looked at once and left alone. */
const unwanted = /["=#\p{Cc}\p{Zl}\p{Zp}]/u;
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** FongMi takes a list that holds it anywhere for a TXT list. */
const genre = /#(?=genre#)/gi;
/** Kodi finds these words anywhere in an entry's line, even inside the value of another attribute. */
export const markers =
  /((?:tvg-(?:id|name|logo|chno|shift|rec)|ch-number|group-title|radio|realtime|timeshift|catchup(?:-[a-z]+)?|provider(?:-[a-z]+)?|media(?:-[a-z]+)?))=/gi;

/**
 * One line without quotation marks, safe inside `key="value"` and behind it: `"` becomes `'`, control characters and line
 * separators become a blank, and a word such as `media=`, which Kodi would take for an attribute, is written `media＝`.
 */
export function clean(text: string): string {
  if (!unwanted.test(text)) return text.trim();
  return oneLine(text.replaceAll('"', "'")).replace(markers, '$1＝');
}

/** Control characters and line separators become a blank; `#genre#`, which is a line of TXT lists, becomes `＃genre#`. */
export function oneLine(text: string): string {
  return text.replace(breaks, ' ').replace(genre, '＃').trim();
}

/** Many players cut a name at its last comma. */
export function withoutCommas(text: string): string {
  return text.includes(',') ? text.replace(/\s*,\s*/g, '，') : text;
}
