import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { Entry } from '../model/entry.js';
import type { Page, Paging } from '../model/page.js';
import type { Connection } from './connection.js';
import { pageOf, pageSize, parseSaid } from './pages.js';
import { decodeCursor, toPage } from './paging.js';
import { statement } from './statements.js';

export type EntryFilter = {
  readonly source?: number | undefined;
  readonly kind?: Entry['kind'] | undefined;
  readonly state?: Entry['state'] | undefined;
  /** Whether it is of a channel. */
  readonly assigned?: boolean | undefined;
  /** Stands in its name, in any case of ASCII letters. */
  readonly q?: string | undefined;
};

/** What providers said of the entries in service, those that are no channels too. */
export interface Entries {
  /** Source by source, in the order of their lists. */
  page(filter: EntryFilter, paging: Paging): Promise<Page<Entry>>;
  byId(id: number): Promise<Entry | null>;
}

export function createEntries({ raw }: Connection): Entries {
  return {
    async page(filter, { after, limit }) {
      const [source, position] = (decodeCursor(after, 2) ?? [0, -1]).map(Number) as [number, number];
      const found: Placed[] = [];
      const matches = matcher(filter);
      for await (const entries of placedBehind(raw, filter.source ?? null, source, position)) {
        found.push(...entries.filter(({ entry }) => matches(entry)));
        if (found.length > limit) break;
      }
      return toPage(
        found,
        limit,
        ({ entry, position: at }) => [entry.source, at],
        ({ entry }) => entry,
      );
    },
    byId(id) {
      const pages = raw.prepare(`SELECT p.page, p.snapshot, s.id AS source FROM entry e JOIN source s ON s.id = e.source
        JOIN snapshot_page p ON p.snapshot = s.snapshot
        WHERE e.id = ? AND instr(replace(replace(p.entries, '[', ','), ']', ','), ?) > 0`);
      const place = pages.get(id, `,${id},`) as PagePlace | undefined;
      const entries = place === undefined ? [] : readPlaced(raw, place).map(({ entry }) => entry);
      return Promise.resolve(entries.find((entry) => entry.id === id) ?? null);
    },
  };
}

type PagePlace = { readonly snapshot: number; readonly page: number; readonly source: number };
type Placed = { readonly position: number; readonly entry: Entry };

/**
 * Entries in service behind a place, page by page; other work of this thread waits for one of them, about 2 ms. The place goes on
 * when the source is refreshed: in what is in service then.
 */
async function* placedBehind(raw: Database.Database, only: number | null, source: number, position: number) {
  const next =
    raw.prepare(`SELECT p.snapshot, p.page, s.id AS source FROM source s JOIN snapshot_page p ON p.snapshot = s.snapshot
    WHERE s.id >= ? AND (s.id, p.page) > (?, ?) AND (? IS NULL OR s.id = ?) ORDER BY s.id, p.page LIMIT 1`);
  let place = { source, page: pageOf(position + 1) - 1 };
  for (;;) {
    const found = next.get(place.source, place.source, place.page, only, only) as PagePlace | undefined;
    if (found === undefined) return;
    yield readPlaced(raw, found).filter((one) => one.entry.source > source || one.position > position);
    place = found;
    await nextTurn();
  }
}

function readPlaced(raw: Database.Database, { snapshot, page, source }: PagePlace): Placed[] {
  const read = statement(raw, 'SELECT entries, said FROM snapshot_page WHERE snapshot = ? AND page = ?');
  const row = read.get(snapshot, page) as { entries: string; said: string } | undefined;
  // A page may have gone out of service since it was found.
  if (row === undefined) return [];
  const ids = JSON.parse(row.entries) as number[];
  const channels = channelsOf(raw, row.entries);
  const missing = missingOf(raw, snapshot, page * pageSize);
  return parseSaid(row.said).map((said, index) => {
    const position = page * pageSize + index;
    const id = ids[index] ?? 0;
    const { state = 'present', since = null } = missing.get(position) ?? {};
    const entry: Entry = { id, source, state, missingSince: since, channel: channels.get(id) ?? null, ...said };
    return { position, entry };
  });
}

/** By entry, of those that have one. */
function channelsOf(raw: Database.Database, entries: string): Map<number, number> {
  const owners = statement(
    raw,
    'SELECT ce.entry, ce.channel FROM json_each(?) JOIN channel_entry ce ON ce.entry = value',
  );
  const rows = owners.all(entries) as { entry: number; channel: number }[];
  return new Map(rows.map(({ entry, channel }) => [entry, channel]));
}

type MissingRow = { readonly position: number; readonly state: 'missing' | 'left'; readonly since: number };

/** By position, of the page that begins with `first`. */
function missingOf(raw: Database.Database, snapshot: number, first: number): Map<number, MissingRow> {
  const rows = statement(
    raw,
    'SELECT position, state, since FROM missing_entry WHERE snapshot = ? AND position >= ? AND position < ?',
  );
  const found = rows.all(snapshot, first, first + pageSize) as MissingRow[];
  return new Map(found.map((row) => [row.position, row]));
}

function matcher({ kind, state, assigned, q = '' }: EntryFilter): (entry: Entry) => boolean {
  const text = lowerAscii(q.replace(/[%_]/g, ''));
  return (entry) =>
    (kind === undefined || entry.kind === kind) &&
    (state === undefined || entry.state === state) &&
    (assigned === undefined || (entry.channel !== null) === assigned) &&
    (text === '' || lowerAscii(entry.name).includes(text));
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
