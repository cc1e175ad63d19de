import type { EntryUrl, Headers, SaidEntry } from './entry.js';

/** An entry in JSON: what is absent, empty or ordinary is left out, which saves a third. */
type Short = Pick<SaidEntry, 'line' | 'name'> &
  Partial<Omit<SaidEntry, 'urls'>> & { readonly urls: readonly (Partial<EntryUrl> & Pick<EntryUrl, 'url'>)[] };

/** Shared by all entries that have none: most do. */
const none: readonly never[] = [];
const noHeaders: Headers = {};

/** What a list says of an entry as JSON, one line. */
export function saidJson(entry: SaidEntry): string {
  return JSON.stringify({
    line: entry.line,
    kind: entry.kind === 'live' ? undefined : entry.kind,
    name: entry.name,
    tvgId: entry.tvgId ?? undefined,
    groups: someOf(entry.groups),
    tvgName: entry.tvgName ?? undefined,
    number: entry.number ?? undefined,
    logo: entry.logo ?? undefined,
    radio: entry.radio || undefined,
    guideShift: entry.guideShift ?? undefined,
    urls: entry.urls.map(({ url, label, headers }) => ({ url, label: label ?? undefined, headers: fieldsOf(headers) })),
    headers: fieldsOf(entry.headers),
    catchup: entry.catchup ?? undefined,
    attributes: someOf(entry.attributes),
    directives: someOf(entry.directives),
  });
}

/** The entry that such JSON tells of, once parsed. */
export function saidOfJson(parsed: unknown): SaidEntry {
  const short = parsed as Short;
  return {
    line: short.line,
    kind: short.kind ?? 'live',
    name: short.name,
    tvgId: short.tvgId ?? null,
    groups: short.groups ?? none,
    tvgName: short.tvgName ?? null,
    number: short.number ?? null,
    logo: short.logo ?? null,
    radio: short.radio ?? false,
    guideShift: short.guideShift ?? null,
    urls: short.urls.map(({ url, label, headers }) => ({ url, label: label ?? null, headers: headers ?? noHeaders })),
    headers: short.headers ?? noHeaders,
    catchup: short.catchup ?? null,
    attributes: short.attributes ?? none,
    directives: short.directives ?? none,
  };
}

function someOf<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

function fieldsOf(headers: Headers): Headers | undefined {
  for (const _ in headers) return headers;
  return undefined;
}
