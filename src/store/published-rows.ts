import type Database from 'better-sqlite3';
import type { Archive } from '../model/archive.js';
import type { Channel, Extras } from '../model/channel.js';
import type { Upstream } from '../model/stream.js';

/** A snapshot in service, and whether its source publishes addresses of providers. */
export type Serving = readonly [snapshot: number, direct: number];

/** Whether a row speaks for its channel: another one, of another snapshot too, may come before it. */
const isShown = 'l.rank = 0 OR EXISTS (SELECT 1 FROM shown_channel v WHERE v.id = l.channel AND v.entry = l.entry)';
/** Columns by hand and as arrays: with the view's, as objects, 100,000 channels take twice as long. */
const columns = `c.id, c.key, l.name, l.number, l.groups, l.logo, l.tvg_id, l.guide_shift, l.radio, l.extras, l.upstream,
  iif(l.upstream IS NULL, l.url, NULL), l.archive, l.rank, ${isShown}`;
type Columns = [
  ...[id: number, key: string, name: string, number: string | null, groups: string, logo: string | null],
  ...[tvgId: string | null, guideShift: number | null, radio: number, extras: string | null, upstream: string | null],
  ...[direct: string | null, archive: string | null, rank: number, shown: number],
];
/** What playlists hold of a snapshot as far as a row can say; `?` is whether its source publishes addresses of providers. */
const isListed = `l.hidden = 0 AND l.state <> 'left' AND (l.upstream IS NOT NULL OR ?)`;

/** Reads what is published. For the inside of a transaction: statements and texts that stand often are kept by it. */
export interface PublishedRows {
  /** Snapshots in the order of the list. */
  serving(): Serving[];
  /** Channels that the user put somewhere, in order. */
  ordered(): Channel[];
  /**
   * The other channels of positions from `first` on, before `end`. `isAlone` when nothing but the rows at these positions and
   * `Serving` decides what they are.
   */
  stretch(serving: Serving, first: number, end: number): { readonly channels: Channel[]; readonly isAlone: boolean };
}

export function createPublishedRows(raw: Database.Database): PublishedRows {
  const sources = raw.prepare(`SELECT snapshot, publish_direct FROM source WHERE listed = 1 AND snapshot IS NOT NULL
    ORDER BY given DESC, position, id`);
  // By itself SQLite walks the whole snapshot for them.
  const ordered =
    raw.prepare(`SELECT ${columns}, l.sort_order FROM listing l INDEXED BY listing_ordered JOIN channel c ON c.id = l.channel
    WHERE l.snapshot = ? AND l.sort_order IS NOT NULL AND ${isListed}`);
  const others = raw.prepare(`SELECT ${columns} FROM listing l JOIN channel c ON c.id = l.channel
    WHERE l.snapshot = ? AND l.position >= ? AND l.position < ? AND l.sort_order IS NULL AND ${isListed} ORDER BY l.position`);
  const readers = { groupsOf: parser<readonly string[]>(), extrasOf: parser<Extras>(), archiveOf: parser<Archive>() };
  const serving = () => sources.raw().all() as Serving[];
  return {
    serving,
    ordered() {
      const rows = serving().flatMap((one) => ordered.raw().all(...one) as [...Columns, order: number][]);
      const shown = rows.filter((row) => row[14] === 1);
      shown.sort((one, other) => one[15] - other[15] || one[0] - other[0]);
      return shown.map((row) => channelOf(row, readers));
    },
    stretch([snapshot, direct], first, end) {
      const rows = others.raw().all(snapshot, first, end, direct) as Columns[];
      const channels: Channel[] = [];
      let isAlone = true;
      for (const row of rows) {
        if (row[13] !== 0) isAlone = false;
        if (row[14] === 1) channels.push(channelOf(row, readers));
      }
      return { channels, isAlone };
    },
  };
}

/** By index and in one literal: taking a row apart into names costs three times as much. */
function channelOf(row: readonly [...Columns, ...unknown[]], { groupsOf, extrasOf, archiveOf }: Readers): Channel {
  const [extras, upstream, archive] = [row[9], row[10], row[12]];
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
    archive: archive === null ? null : archiveOf(archive),
  };
}

/** Of JSON texts that stand in many rows. */
type Readers = {
  groupsOf(text: string): readonly string[];
  extrasOf(text: string): Extras;
  archiveOf(text: string): Archive;
};

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
