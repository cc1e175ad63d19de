import type { Attribute, Directive, Headers } from '../../model/entry.js';

export type Field = readonly [name: string, value: string];

const spellings = new Map([
  ['user-agent', 'User-Agent'],
  ['referer', 'Referer'],
  ['referrer', 'Referer'],
  ['origin', 'Origin'],
  ['cookie', 'Cookie'],
]);

/** A token and a text of one line (RFC 9110 §5): whoever writes a list must not write the request. */
const isName = /^[!#$%&'*+.^_`|~\w-]+$/;
const isValue = /^[^\r\n\0]+$/;

export const noHeaders: Headers = Object.freeze({});

/** Nearest first: of fields with the same name in any case, the first that is not blank stands. */
export function mergeHeaders(...nearestFirst: readonly (readonly Field[])[]): Headers {
  if (nearestFirst.every((fields) => fields.length === 0)) return noHeaders;
  const merged = new Map<string, Field>();
  for (const [name, value] of nearestFirst.flat()) {
    const known = name.toLowerCase();
    if (isName.test(name) && isValue.test(value) && !merged.has(known)) merged.set(known, [name, value]);
  }
  return Object.fromEntries(merged.values());
}

/** `user-agent`, `http-user-agent`, `referrer`, `http-referrer` of an entry or of a list's header. */
export function headersOfAttributes(attributes: readonly Attribute[]): Field[] {
  const fields: Field[] = [];
  for (const [attribute, value] of attributes) {
    const name = /^(?:http-)?(user-agent|referr?er|origin)$/i.exec(attribute)?.[1];
    if (name !== undefined) fields.push([spellings.get(name.toLowerCase()) ?? name, value]);
  }
  return fields;
}

/**
 * `#EXTVLCOPT:http-…=…`, `#EXTHTTP:{json}` and Kodi's `#KODIPROP:inputstream.…_headers=…`; of a header said twice the
 * later line is the nearer.
 */
export function headersOfDirectives(directives: readonly Directive[]): Field[] {
  if (directives.length === 0) return [];
  return directives.toReversed().flatMap(({ name, value }) => {
    const kind = name.toUpperCase();
    if (kind === 'EXTVLCOPT') return vlcOption(value);
    if (kind === 'KODIPROP') return kodiProperty(value);
    return kind === 'EXTHTTP' ? jsonFields(value) : [];
  });
}

/** `Name=value&Name=value`, also separated by `|`; `!` before a name marks one that Kodi does not know. */
export function readFields(text: string): Field[] {
  return text.split(/[&|]/).flatMap((field): Field[] => {
    const equals = field.indexOf('=');
    if (equals < 1) return [];
    return [[decode(field.slice(0, equals)).replace(/^!/, '').trim(), decode(field.slice(equals + 1)).trim()]];
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function kodiProperty(value: string): Field[] {
  const property = /^\s*inputstream\.\w+\.(?:stream|common)_headers\s*=(.*)$/i.exec(value);
  return property === null ? [] : readFields(property[1] ?? '');
}

function vlcOption(value: string): Field[] {
  const option = /^\s*:?http-([\w-]+)\s*=\s*(.*)$/i.exec(value);
  if (option === null) return [];
  const name = option[1]?.toLowerCase() ?? '';
  const isTransport = name === 'reconnect' || name === 'continuous' || name === 'forward-cookies';
  return isTransport ? [] : [[spellings.get(name) ?? titleCase(name), (option[2] ?? '').trim()]];
}

function titleCase(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** The fields of a JSON object whose values are text. */
export function jsonFields(text: string): Field[] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, field]): Field[] =>
      typeof field === 'string' ? [[name, field]] : [],
    );
  } catch {
    return [];
  }
}
