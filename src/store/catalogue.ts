import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { inChunks } from '../lib/chunks.js';
import type { Archive } from '../model/archive.js';
import type { ChannelDetail, ChannelFilter, ChannelStatus } from '../model/channel.js';
import type { Page, Paging } from '../model/page.js';
import { searchWords } from '../model/search.js';
import { channelFilter } from './channel-filter.js';
import type { Connection } from './connection.js';
import { channelEtag } from './if-match.js';
import { overrideOf } from './listing-writes.js';
import { linesOf, pageOf, saidAt } from './pages.js';
import { decodeCursor, encodeCursor } from './paging.js';
import { searchedPositions } from './search.js';
import type { Tables } from './tables.js';

/** The channels as they are managed: hidden and unplayable ones too. */
export interface Catalogue {
  /** In the order of the playlist. */
  channels(filter: ChannelFilter, paging: Paging): Promise<Page<ChannelStatus>>;
  countChannels(filter: ChannelFilter): Promise<number>;
  channel(id: number): Promise<ChannelDetail | null>;
  /** Of the channels that are shown, in the order in which they come first. */
  groups(): Promise<{ readonly name: string; readonly channels: number }[]>;
}

type Row = Selectable<Tables['shown_channel']>;
type Db = Connection['db'];

export function createCatalogue(connection: Connection): Catalogue {
  const { raw, db } = connection;
  return {
    async channels(filter, { after, limit }) {
      const found: Row[] = [];
      for (const section of await sectionsBehind(connection, filter, readCursor(after))) {
        if (found.length > limit) break;
        found.push(...(await section(limit + 1 - found.length)));
      }
      const items = found.slice(0, limit);
      const last = items.at(-1);
      return { items: items.map(statusOf), next: found.length > limit && last !== undefined ? cursorOf(last) : null };
    },
    async countChannels(filter) {
      const count = db.selectFrom('shown_channel').select((e) => e.fn.countAll<number>().as('channels'));
      return (await count.where(channelFilter(filter)).executeTakeFirstOrThrow()).channels;
    },
    async channel(id) {
      const row = await shown(db).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : await detailOf(db, row);
    },
    async groups() {
      const rows =
        raw.prepare(`SELECT value AS name, count(*) AS channels FROM shown_channel, json_each(groups) WHERE hidden = 0
        GROUP BY value ORDER BY min(source_position), min(position)`);
      return await Promise.resolve(rows.all() as { name: string; channels: number }[]);
    },
  };
}

function shown(db: Db) {
  return db.selectFrom('shown_channel').selectAll();
}

/** Reads at most so many rows of a part of the list. */
type Section = (most: number) => Promise<Row[]>;

/**
 * The parts of the list behind a place: those that the user put somewhere, then each source. One after another they need
 * no sorting, however long the list is.
 */
async function sectionsBehind(connection: Connection, filter: ChannelFilter, place: Place): Promise<Section[]> {
  const { db } = connection;
  const rows = db
    .selectFrom('source')
    .select(['id', 'snapshot'])
    .where('listed', '=', 1)
    .where('snapshot', 'is not', null);
  const some = filter.source === undefined ? rows : rows.where('id', '=', filter.source);
  const sources = await some.orderBy('given', 'desc').orderBy('position').orderBy('id').execute();
  const isAt = (id: number) => id === place.source;
  const first = place.source === null ? 0 : sources.findIndex(({ id }) => isAt(id));
  const lists = first < 0 ? [] : sources.slice(first);
  const sections = lists.map(({ id, snapshot }): Section => {
    return (most) =>
      ofSnapshot(connection, filter, { snapshot: snapshot ?? 0, behind: isAt(id) ? place.at : -1, most });
  });
  return place.source === null ? [(most) => ordered(db, filter, place, most), ...sections] : sections;
}

function ordered(db: Db, filter: ChannelFilter, { order, at }: Place, most: number): Promise<Row[]> {
  const rows = shown(db).where('sort_order', 'is not', null).where(channelFilter(filter));
  const isBehind = (e: ExpressionBuilder<Tables, 'shown_channel'>) =>
    e.or([e('sort_order', '>', order), e.and([e('sort_order', '=', order), e('id', '>', at)])]);
  const behind = order === null ? rows : rows.where(isBehind);
  return behind.orderBy('sort_order').orderBy('id').limit(most).execute();
}

/** Positions that are looked through in one go, and listings that are read in one: other requests wait some 5 ms for them. */
const stretch = 20_000;
const readAtOnce = 1000;

type Stretch = { readonly snapshot: number; readonly behind: number; readonly most: number };

async function ofSnapshot(connection: Connection, filter: ChannelFilter, stretchOf: Stretch): Promise<Row[]> {
  const { db } = connection;
  const { snapshot, most } = stretchOf;
  const rows = shown(db).where('snapshot', '=', snapshot).where('sort_order', 'is', null).where(channelFilter(filter));
  const found: Row[] = [];
  for await (const among of candidates(connection, filter, stretchOf)) {
    const next = rows.where(among).orderBy('position');
    found.push(...(await next.limit(most - found.length).execute()));
    if (found.length === most) break;
  }
  return found;
}

type Among = (builder: ExpressionBuilder<Tables, 'shown_channel'>) => Expression<SqlBool>;

/** Where channels of a snapshot may be that match a filter: part by part, in order. */
async function* candidates({ raw, db }: Connection, filter: ChannelFilter, { snapshot, behind }: Stretch) {
  const words = searchWords(filter.q ?? '');
  const last = await lastPosition(db, snapshot);
  for (let first = behind + 1; first <= last; first += stretch) {
    if (first > behind + 1) await nextTurn();
    const end = first + stretch;
    if (words.length === 0) yield ((e) => e.and([e('position', '>=', first), e('position', '<', end)])) satisfies Among;
    else yield* searched(raw, words, snapshot, first, end);
  }
}

async function* searched(
  raw: Database.Database,
  words: readonly string[],
  snapshot: number,
  first: number,
  end: number,
) {
  for (const some of inChunks(searchedPositions(raw, words, snapshot, first, end), readAtOnce)) {
    yield (() => sql<SqlBool>`position IN (SELECT value FROM json_each(${JSON.stringify(some)}))`) satisfies Among;
    await nextTurn();
  }
}

async function lastPosition(db: Db, snapshot: number): Promise<number> {
  const rows = db.selectFrom('listing').select('position').where('snapshot', '=', snapshot);
  return (await rows.orderBy('position', 'desc').limit(1).executeTakeFirst())?.position ?? -1;
}

async function detailOf(db: Db, row: Row): Promise<ChannelDetail> {
  const { id, snapshot, position } = row;
  const override = await db.selectFrom('channel_override').selectAll().where('channel', '=', id).executeTakeFirst();
  const entries = await db
    .selectFrom('channel_entry')
    .select('entry')
    .where('channel', '=', id)
    .orderBy('rank')
    .execute();
  const page = db
    .selectFrom('snapshot_page')
    .select('said')
    .where('snapshot', '=', snapshot)
    .where('page', '=', pageOf(position));
  const { name, number, groups, logo, tvgId } = saidAt(linesOf((await page.executeTakeFirstOrThrow()).said), position);
  return {
    ...statusOf(row),
    override: overrideOf(override ?? emptyOverride(id)),
    said: { name, number, groups, logo, tvgId },
    entries: entries.map((one) => one.entry),
    etag: channelEtag(row.version, snapshot),
  };
}

type Place = { readonly source: number | null; readonly order: number | null; readonly at: number };

/** Among those with an order: order and id. Behind them: source and position. */
function readCursor(after: string | null): Place {
  const [kind, one, other] = decodeCursor(after, 3) ?? ['start', null, 0];
  const at = Number(other);
  return kind === 'list'
    ? { source: Number(one), order: null, at }
    : { source: null, order: kind === 'order' ? Number(one) : null, at };
}

function cursorOf({ sort_order: order, id, source, position }: Row): string {
  return encodeCursor(order === null ? ['list', source, position] : ['order', order, id]);
}

function statusOf(row: Row): ChannelStatus {
  const playable = row.upstream !== null;
  const hidden = row.hidden === 1;
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    number: row.number,
    groups: JSON.parse(row.groups) as string[],
    logo: row.logo,
    tvgId: row.tvg_id,
    guideShift: row.guide_shift,
    radio: row.radio === 1,
    order: row.sort_order,
    hidden,
    missing: row.state === 'missing',
    playable,
    published: !hidden && (playable || row.publish_direct === 1),
    source: row.source,
    archive: archiveOf(row.archive),
  };
}

function archiveOf(text: string | null): ChannelStatus['archive'] {
  if (text === null) return null;
  const { days, scheme } = JSON.parse(text) as Archive;
  return { days, scheme };
}

function emptyOverride(channel: number): Tables['channel_override'] {
  const values = { name: null, logo: null, tvg_id: null, groups: null, hidden: null, number: null };
  return { channel, ...values, guide_shift: null, sort_order: null, catchup: null, hints: null };
}
