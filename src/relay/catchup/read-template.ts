import type { Headers } from '../../model/entry.js';
import { needsEnd } from './open-end.js';
import { bareNames, readPlaceholder } from './placeholder.js';
import type { Template, Token } from './token.js';

const bare = `\\$(${bareNames.join('|')})(?!\\w)`;
const plain = new RegExp(`\\$?\\{([^{}]*)\\}|${bare}`, 'g');
/** Lists made by programs that encode addresses: `%7Butc%7D`, `$%7Bstart%7D`, `%24%7B%28b%29YmdHMS%7D`. */
const encoded = new RegExp(`(?:\\$|%24)?%7B((?:(?!%7[BD]).)*)%7D|${bare}`, 'gis');
const encodedSigns = /%(?:28|29|2C|3A|7C)/gi;

/** Takes a provider's template apart. It never fails: what is not known stays as it is written. */
export function readTemplate(text: string): Template {
  const bar = barOf(text);
  const headers = bar < 0 ? null : readHeaders(text.slice(bar + 1));
  const tokens = readTokens(headers === null ? text : text.slice(0, bar));
  const unknown = new Set(tokens.flatMap((token) => (token.kind === 'unknown' ? token.text : [])));
  return { tokens, headers: headers ?? {}, unknown: [...unknown], needsEnd: needsEnd(tokens) };
}

function readTokens(text: string): Token[] {
  const isPlain = /\{[^{}]*\}/.test(text);
  const tokens: Token[] = [];
  let from = 0;
  for (const match of text.matchAll(isPlain ? plain : encoded)) {
    const inner = match[1] ?? match[2] ?? '';
    const token = readPlaceholder(isPlain ? inner : inner.replace(encodedSigns, decodeURIComponent));
    if (match.index > from) tokens.push({ kind: 'text', text: text.slice(from, match.index) });
    tokens.push(token ?? { kind: 'unknown', text: match[0] });
    from = match.index + match[0].length;
  }
  if (from < text.length) tokens.push({ kind: 'text', text: text.slice(from) });
  return tokens;
}

/** Where the headers of an address begin: at the first `|` that is not inside a placeholder; -1 without any. */
export function barOf(text: string): number {
  return text.replace(/\{[^{}]*\}/g, (placeholder) => ' '.repeat(placeholder.length)).indexOf('|');
}

/** `Name=value&Name=value`, as Kodi writes them behind an address. Null when it is something else. */
function readHeaders(text: string): Headers | null {
  const fields = text.split('&').map((field) => /^([\w-]+)=(.*)$/s.exec(field));
  const pairs = fields.flatMap((field) => (field === null ? [] : [[field[1] ?? '', decoded(field[2] ?? '')] as const]));
  return pairs.length === fields.length ? Object.fromEntries(pairs) : null;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
