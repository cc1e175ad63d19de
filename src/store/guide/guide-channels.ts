import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { Icon, LangText, WebLink } from '../../model/programme.js';
import { searchWords } from '../../model/search.js';
import { type Cursor, decodeCursor, toPage } from '../paging.js';
import type { GuideChannelFilter, GuideChannels, ListedGuideChannel } from './contract.js';

/** Rows of a read: a stretch of some milliseconds at most. */
const stretch = 500;

type Row = {
  source: number;
  id: number;
  guide_id: string;
  guide_key: string;
  names: string;
  icons: string;
  urls: string;
  programmes: number;
  first: number | null;
  last: number | null;
  near: number;
};
type Place = { readonly source: number; readonly channel: number };

const listed = `SELECT n.source, c.id, c.guide_id, c.guide_key, l.names, l.icons, l.urls, l.programmes, l.first, l.last, l.near
  FROM feed f JOIN snapshot n ON n.id = f.snapshot CROSS JOIN listed_channel l ON l.snapshot = n.listing
  CROSS JOIN guide_channel c ON c.id = l.channel`;

export function createGuideChannels(raw: Database.Database): GuideChannels {
  const next = raw.prepare(`${listed} WHERE f.source = ? AND l.channel > ? ORDER BY l.channel LIMIT ${stretch}`);
  const sources = raw
    .prepare(
      'SELECT source FROM feed WHERE snapshot IS NOT NULL AND source >= ? AND source = coalesce(?, source) ORDER BY source',
    )
    .pluck();
  const idOf = raw.prepare('SELECT id FROM guide_channel WHERE source = ? AND guide_key = ?').pluck();
  const named = raw.prepare('SELECT source AS guideSource, guide_key AS guideKey FROM guide_channel WHERE id = ?');
  const kept = raw.prepare('SELECT id FROM guide_channel WHERE source = ? AND kept = 1 ORDER BY id').pluck();
  /** What may match, in parts: from a place on, through all sources unless one is asked for. */
  async function* parts({ q, source: only }: GuideChannelFilter, place: Place): AsyncGenerator<Row[]> {
    const words = searchWords(q ?? '');
    const find = raw.prepare(searchIn(words.length));
    for (const source of sources.all(Math.max(place.source, only ?? 0), only ?? null) as number[])
      yield* stretches(find, { source, channel: source === place.source ? place.channel : 0 }, words);
  }
  return {
    async search(filter, { after, limit }) {
      const found: Row[] = [];
      const accepts = filter.accepts ?? (() => true);
      for await (const rows of parts(filter, placeOf(decodeCursor(after, 2)))) {
        found.push(...rows.filter((row) => accepts(keysOf(row))));
        if (found.length > limit) break;
      }
      return toPage(found, limit, ({ source, id }) => [source, id], channelOf);
    },
    *facts(source) {
      for (let from = 0; ; ) {
        const rows = next.all(source, from) as Row[];
        yield* rows.map(channelOf);
        if (rows.length < stretch) return;
        from = rows.at(-1)?.id ?? from;
      }
    },
    ids(source, keys) {
      const ids = new Map<string, number>();
      for (const key of keys) {
        const id = idOf.get(source, key);
        if (typeof id === 'number') ids.set(key, id);
      }
      return ids;
    },
    named(numbers) {
      const found = new Map<number, { guideSource: number; guideKey: string }>();
      for (const number of new Set(numbers)) {
        const row = named.get(number) as { guideSource: number; guideKey: string } | undefined;
        if (row !== undefined) found.set(number, row);
      }
      return found;
    },
    kept: (source) => kept.all(source) as number[],
  };
}

/** Of one source, behind a channel; others are let in between two. */
async function* stretches(find: Database.Statement, { source, channel }: Place, words: readonly string[]) {
  for (let last = channel; ; ) {
    const rows = find.all(source, last, ...words) as Row[];
    yield rows;
    if (rows.length < stretch) return;
    last = rows.at(-1)?.id ?? last;
    await nextTurn();
  }
}

/** With a parameter for each word: rows without them are not read, but gone through in the index of what is searched. */
function searchIn(words: number): string {
  const contains = ' AND instr(l.search, ?) > 0'.repeat(words);
  return `${listed} WHERE f.source = ? AND l.channel > ?${contains} ORDER BY l.channel LIMIT ${stretch}`;
}

function placeOf(cursor: Cursor | null): Place {
  const [source, channel] = cursor ?? [0, 0];
  return { source: Number(source), channel: Number(channel) };
}

function keysOf(row: Row): { guideSource: number; guideKey: string } {
  return { guideSource: row.source, guideKey: row.guide_key };
}

function channelOf(row: Row): ListedGuideChannel {
  const { id, guide_id, programmes, first, last, near } = row;
  const names = JSON.parse(row.names) as [string, string | null][];
  return {
    ...keysOf(row),
    guideChannel: id,
    guideId: guide_id,
    names: names.map(([text, lang]): LangText => ({ text, lang })),
    icons: JSON.parse(row.icons) as Icon[],
    urls: JSON.parse(row.urls) as WebLink[],
    ...{ programmes, first, last, near },
  };
}
