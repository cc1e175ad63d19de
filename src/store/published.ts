import type Database from 'better-sqlite3';
import type { Channel, Extras } from '../model/channel.js';
import type { Upstream } from '../model/stream.js';
import { openForReading } from './connection.js';

export interface Published {
  /**
   * Hands over what is published, or a line-up's channels with its numbers, in order, as they stand at one instant.
   * @throws WeirError `not-found` when there is no such line-up.
   */
  read<T>(lineup: string | null, read: (channels: Iterable<Channel>) => T): Promise<T>;
}

/** Opens the database by itself, for a thread that does nothing else, until that ends. */
export function openPublished(dir: string): Published {
  const raw = openForReading(dir);
  return {
    async read(lineup, read) {
      const channels = lineup === null ? published : await ofLineup(lineup);
      const all = raw.transaction(() => read(channels(raw)));
      return all();
    },
  };
}

/** What a line-up needs takes as long to load as a list of 20,000 channels to write: most houses have none. */
async function ofLineup(slug: string): Promise<(raw: Database.Database) => Channel[]> {
  const { lineupChannels } = await import('./published-lineup.js');
  return (raw) => lineupChannels(raw, slug, published(raw));
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

/** Those that the user put somewhere, then source by source. */
export function* published(raw: Database.Database): Generator<Channel> {
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
