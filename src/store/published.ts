import type Database from 'better-sqlite3';
import type { Selectable } from 'kysely';
import { WeirError } from '../lib/errors.js';
import type { Channel, ChannelFilter, Extras } from '../model/channel.js';
import type { Upstream } from '../model/stream.js';
import { channelFilter } from './channel-filter.js';
import { type Connection, openForReading } from './connection.js';
import type { Tables } from './tables.js';

export interface Published {
  /**
   * Hands over what is published, or a line-up's channels with its numbers, in order, as they stand at one instant.
   * @throws WeirError `not-found` when there is no such line-up.
   */
  read<T>(lineup: string | null, read: (channels: Iterable<Channel>) => T): T;
}

/** Opens the database by itself, for a thread that does nothing else, until that ends. */
export function openPublished(dir: string): Published {
  return publishedOf(openForReading(dir));
}

export function publishedOf(connection: Connection): Published {
  return {
    read(lineup, read) {
      const all = connection.raw.transaction(() =>
        read(lineup === null ? listed(connection, {}) : ofLineup(connection, lineup)),
      );
      return all();
    },
  };
}

/** Those that the user put somewhere, then source by source. */
function* listed({ raw, db }: Connection, filter: ChannelFilter): Generator<Channel> {
  const matching = db.selectFrom('shown_channel').select('id').where(channelFilter(filter)).compile();
  const isAll = Object.keys(filter).length === 0;
  const only = isAll
    ? null
    : new Set(
        raw
          .prepare(matching.sql)
          .pluck()
          .all(...matching.parameters),
      );
  for (const channel of published(raw)) if (only === null || only.has(channel.id)) yield channel;
}

/** Rows read in one go. */
const page = 2000;

/** Columns by hand and as arrays: with the view's, as objects, 100,000 channels take twice as long. */
const columns = `c.id, c.key, l.name, l.number, l.groups, l.logo, l.tvg_id, l.guide_shift, l.radio, l.extras, l.upstream,
  iif(l.upstream IS NULL, l.url, NULL), l.position`;
type Columns = [
  ...[id: number, key: string, name: string, number: string | null, groups: string, logo: string | null],
  ...[tvgId: string | null, guideShift: number | null, radio: number, extras: string | null, upstream: string | null],
  ...[direct: string | null, position: number],
];
/** What shown_channel shows and playlists hold of a snapshot; `?` is whether its source publishes addresses of providers. */
const isPublished = `l.hidden = 0 AND l.state <> 'left' AND (l.upstream IS NOT NULL OR ?)
  AND (l.rank = 0 OR EXISTS (SELECT 1 FROM shown_channel v WHERE v.id = l.channel AND v.entry = l.entry))`;

function* published(raw: Database.Database): Generator<Channel> {
  const sources = raw.prepare(`SELECT snapshot, publish_direct FROM source WHERE listed = 1 AND snapshot IS NOT NULL
    ORDER BY given DESC, position, id`);
  const serving = sources.raw().all() as [snapshot: number, direct: number][];
  const ordered = raw.prepare(`SELECT ${columns}, l.sort_order FROM listing l JOIN channel c ON c.id = l.channel
    WHERE l.snapshot = ? AND l.sort_order IS NOT NULL AND ${isPublished}`);
  const readers = { groupsOf: parser<readonly string[]>(), extrasOf: parser<Extras>() };
  const first = serving.flatMap(([snapshot, direct]) => ordered.raw().all(snapshot, direct) as [...Columns, number][]);
  for (const row of first.sort((one, other) => one[13] - other[13] || one[0] - other[0])) yield channelOf(row, readers);
  const others = raw.prepare(`SELECT ${columns} FROM listing l JOIN channel c ON c.id = l.channel
    WHERE l.snapshot = ? AND l.position > ? AND l.sort_order IS NULL AND ${isPublished} ORDER BY l.position LIMIT ${page}`);
  for (const [snapshot, direct] of serving) {
    let rows: Columns[] = [];
    do {
      rows = others.raw().all(snapshot, rows.at(-1)?.[12] ?? -1, direct) as Columns[];
      for (const row of rows) yield channelOf(row, readers);
    } while (rows.length === page);
  }
}

/** By index and in one literal: taking a row apart into names costs three times as much. */
function channelOf(row: readonly [...Columns, ...unknown[]], { groupsOf, extrasOf }: Readers): Channel {
  const [extras, upstream] = [row[9], row[10]];
  return {
    id: row[0],
    key: row[1],
    name: row[2],
    number: row[3],
    groups: groupsOf(row[4]),
    logo: row[5],
    tvgId: row[6],
    guideShift: row[7],
    radio: row[8] === 1,
    extras: extras === null ? null : extrasOf(extras),
    upstream: upstream === null ? null : (JSON.parse(upstream) as Upstream),
    direct: row[11],
    membershipRefresh: null,
  };
}

/** Of JSON texts that stand in many rows. */
type Readers = { groupsOf(text: string): readonly string[]; extrasOf(text: string): Extras };

/** Texts that are remembered: a list has some hundreds of groups. */
const mostTexts = 2000;

/** Parses each text once, as long as they are few. */
function parser<T>(): (text: string) => T {
  const parsed = new Map<string, T>();
  return (text) => {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    const value = JSON.parse(text) as T;
    if (parsed.size < mostTexts) parsed.set(text, value);
    return value;
  };
}

type Item = Selectable<Tables['lineup_item']>;

/** Those that it puts somewhere, then the others as the whole list has them. */
function ofLineup(connection: Connection, slug: string): Channel[] {
  const { raw } = connection;
  const lineup = raw.prepare('SELECT * FROM lineup WHERE slug = ?').get(slug) as
    | Selectable<Tables['lineup']>
    | undefined;
  if (lineup === undefined) throw new WeirError('not-found', `There is no line-up "${slug}".`);
  const rows = raw.prepare('SELECT * FROM lineup_item WHERE lineup = ?').all(lineup.id) as Item[];
  const items = new Map(rows.map((item) => [item.channel, item]));
  const filtered =
    lineup.filter === null ? null : new Set(idsOf(listed(connection, JSON.parse(lineup.filter) as ChannelFilter)));
  const channels: Channel[] = [];
  for (const channel of listed(connection, {})) {
    const item = items.get(channel.id);
    const isIn = item === undefined ? filtered?.has(channel.id) === true : item.excluded === 0;
    if (isIn) channels.push({ ...channel, number: item?.number ?? channel.number });
  }
  const orderOf = ({ id }: Channel) => items.get(id)?.sort_order ?? Number.POSITIVE_INFINITY;
  // Infinity less Infinity is no number: those stay as they are.
  return channels.sort((one, other) => orderOf(one) - orderOf(other) || 0);
}

function* idsOf(channels: Iterable<Channel>): Generator<number> {
  for (const { id } of channels) yield id;
}
