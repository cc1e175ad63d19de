/** What has no place in XML 1.0 (§2.2), control characters of the second block, and halves of characters. */
const forbidden = /[^\P{Cc}\t\n\r]|\p{Cs}|\ufffe|\uffff/gu;
/** Quick test, so that most texts are looked at once and left alone. */
const special = /[&<>"\p{Cc}\p{Cs}\ufffe\uffff]/u;

/** A text between two tags: `&`, `<` and `>` as entities, line ends as line feeds, without what XML forbids. */
export function escapeText(text: string): string {
  return special.test(text) ? common(text) : text;
}

/** A text between double quotes: these, tabs and line ends are references too, as readers make blanks of them. */
export function escapeAttribute(text: string): string {
  if (!special.test(text)) return text;
  return common(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
}

function common(text: string): string {
  return text
    .replace(forbidden, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
