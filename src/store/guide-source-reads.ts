import type Database from 'better-sqlite3';
import { sourceKind } from '../model/source.js';
import type { Connection } from './connection.js';
import type { GuideHouse } from './guide-house.js';
import { guideSourceOf } from './guide-source-row.js';

type Reads = Pick<GuideHouse, 'sources' | 'source' | 'guideUrls'>;

export function createGuideSourceReads({ raw, db }: Connection): Reads {
  const rows = () => db.selectFrom('guide_source').selectAll().where('removed', '=', 0);
  const lists = raw.prepare('SELECT source FROM guide_source_list WHERE guide_source = ? ORDER BY source').pluck();
  const listsOf = (id: number) => lists.all(id) as number[];
  return {
    async sources() {
      const ordered = rows()
        .orderBy('position')
        .orderBy((e) => e('origin', '<>', 'given'));
      const found = await ordered.orderBy('id').execute();
      return found.map((row) => guideSourceOf(row, listsOf(row.id)));
    },
    async source(id) {
      const row = await rows().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : guideSourceOf(row, listsOf(id));
    },
    guideUrls: () => guideUrls(raw),
  };
}

type List = { readonly source: number; readonly location: string; readonly header: string | null };

function guideUrls(raw: Database.Database): { source: number; urls: string[] }[] {
  const serving = raw.prepare(`SELECT s.id AS source, s.location, n.header
    FROM source s LEFT JOIN snapshot n ON n.id = s.snapshot AND s.listed = 1
    WHERE s.listed = 1 OR EXISTS (SELECT 1 FROM guide_source_list g WHERE g.source = s.id) ORDER BY s.id`);
  return (serving.all() as List[]).map(({ source, location, header }) => {
    return { source, urls: urlsOf(JSON.parse(header ?? '[]') as [string, string][], location) };
  });
}

/** `x-tvg-url` is Kodi's and the oldest, `url-tvg` the usual one. */
const guideAttribute = /^(?:x-tvg-url|url-tvg|tvg-url)$/i;
/** Guides that one list may name. */
const mostNamed = 20;

/** What the first line of a list names, as absolute web addresses, each once. */
function urlsOf(header: readonly (readonly [name: string, value: string])[], location: string): string[] {
  const base = sourceKind(location) === 'url' ? location : undefined;
  const said = header.filter(([name]) => guideAttribute.test(name)).flatMap(([, value]) => separated(value));
  const urls = said.flatMap((address) => {
    const url = URL.canParse(address, base) ? new URL(address, base) : null;
    return url !== null && /^https?:$/.test(url.protocol) ? [url.href] : [];
  });
  return [...new Set(urls)].slice(0, mostNamed);
}

/** Several are separated by commas, which may stand in an address as well. */
function separated(value: string): string[] {
  const parts = /:\/\//.test(value) ? value.split(/[\s,;]+(?=https?:\/\/)/i) : value.split(',');
  return parts.map((part) => part.replace(/[\s,;]+$/, '').trim()).filter((part) => part !== '');
}
