/** Text that is HTML already and is not escaped again. */
export type Html = { readonly html: string };

type Part = Html | string | number | null | readonly Part[];

/** A template whose values are escaped, unless they are made by this function; null is nothing, lists are joined. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: texts.map((text, index) => text + render(parts[index] ?? null)).join('') };
}

function render(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'html' in part ? part.html : part.map(render).join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
