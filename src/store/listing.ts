import type Database from 'better-sqlite3';
import type { ChannelOverride } from '../model/channel.js';
import type { Said } from '../model/rules.js';
import type { Connection } from './connection.js';
import { overridesOf, saidOf } from './listing-writes.js';
import { pageSize, parseSaid } from './pages.js';
import { statement } from './statements.js';

/** A channel with what its effective values are made of. */
export type ListedChannel = {
  readonly channel: number;
  readonly source: number;
  readonly said: Said;
  readonly ruleNumber: string | null;
  readonly override: ChannelOverride | null;
};

/** What channels are compared by. */
export type NamedChannel = {
  readonly channel: number;
  readonly source: number;
  readonly name: string;
  readonly tvgId: string | null;
  readonly groups: readonly string[];
  readonly radio: boolean;
  /** Whether a user changed it. */
  readonly isEdited: boolean;
};

export interface Listing {
  /** All channels that are shown, as parts of some thousands. */
  pages(): AsyncGenerator<ListedChannel[]>;
  /** The same, with little of each. */
  names(): NamedChannel[];
  /** Ids of the listed sources, in their order. */
  sources(): number[];
}

/** Pages read in one go. */
const pagesAtOnce = 4;

/** What is shown, for work that goes through all of it. */
export function createListing({ raw }: Connection): Listing {
  return {
    async *pages() {
      const pages = raw.prepare('SELECT max(page) FROM snapshot_page WHERE snapshot = ?').pluck();
      for (const snapshot of served(raw)) {
        const last = Number(pages.get(snapshot) ?? -1);
        for (let page = 0; page <= last; page += pagesAtOnce) {
          yield await Promise.resolve(channelsOn(raw, snapshot, page, page + pagesAtOnce - 1));
        }
      }
    },
    names: () => served(raw).flatMap((snapshot) => namesOf(raw, snapshot)),
    sources: () =>
      raw.prepare('SELECT id FROM source WHERE listed = 1 ORDER BY given DESC, position, id').pluck().all() as number[],
  };
}

/** The snapshots in service of listed sources, in the order of these. */
function served(raw: Database.Database): number[] {
  const snapshots = raw.prepare(
    'SELECT snapshot FROM source WHERE listed = 1 AND snapshot IS NOT NULL ORDER BY given DESC, position, id',
  );
  return snapshots.pluck().all() as number[];
}

type ShownRow = { id: number; source: number; position: number; rule_number: string | null };

function channelsOn(raw: Database.Database, snapshot: number, first: number, last: number): ListedChannel[] {
  const shown = statement(
    raw,
    `SELECT v.id, v.source, v.position, c.rule_number FROM shown_channel v JOIN channel c ON c.id = v.id
    WHERE v.snapshot = ? AND v.position >= ? AND v.position < ? ORDER BY v.position`,
  );
  const pages = statement(
    raw,
    'SELECT said FROM snapshot_page WHERE snapshot = ? AND page BETWEEN ? AND ? ORDER BY page',
  );
  const from = first * pageSize;
  const rows = shown.all(snapshot, from, (last + 1) * pageSize) as ShownRow[];
  const said = (pages.all(snapshot, first, last) as { said: string }[]).flatMap((page) => parseSaid(page.said));
  const edits = overridesOf(
    raw,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(({ id, source, position, rule_number: ruleNumber }) => {
    const entry = said[position - from];
    if (entry === undefined) return [];
    return [{ channel: id, source, said: saidOf(entry), ruleNumber, override: edits.get(id) ?? null }];
  });
}

/** Columns as arrays, and the groups of many parsed once: with 100,000 channels that takes half the time. */
type NameColumns = [channel: number, source: number, name: string, tvgId: string | null, groups: string];

function namesOf(raw: Database.Database, snapshot: number): NamedChannel[] {
  const rows = raw.prepare(`SELECT v.id, v.source, v.name, v.tvg_id, v.groups, v.radio, o.channel IS NOT NULL
    FROM shown_channel v LEFT JOIN channel_override o ON o.channel = v.id WHERE v.snapshot = ?`);
  const groups = new Map<string, readonly string[]>();
  const groupsOf = (text: string) => {
    const known = groups.get(text) ?? (JSON.parse(text) as string[]);
    groups.set(text, known);
    return known;
  };
  const named: NamedChannel[] = [];
  for (const row of rows.raw().iterate(snapshot) as Iterable<[...NameColumns, radio: number, edited: number]>) {
    const [channel, source, name, tvgId] = row;
    named.push({ channel, source, name, tvgId, groups: groupsOf(row[4]), radio: row[5] === 1, isEdited: row[6] === 1 });
  }
  return named;
}
