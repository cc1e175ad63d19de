import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Selectable } from 'kysely';
import { effective } from '../../src/model/effective.js';
import type { SaidEntry } from '../../src/model/entry.js';
import { parseUpstreamUrl } from '../../src/model/upstream.js';
import { compiledRules, listedValues, overridesOf, saidOf } from '../../src/store/listing-writes.js';
import { pageSize, parseSaid } from '../../src/store/pages.js';
import type { Tables } from '../../src/store/tables.js';

/** Faults of one kind that are told one by one. */
const told = 3;

/** Opens the database of a data directory for reading, as it stands, whether weir runs or not. */
export function openCatalogue(data: string): Database.Database {
  return new Database(join(data, 'weir.db'), { readonly: true, timeout: 20_000 });
}

/** What SQLite itself finds wrong. */
export function damage(raw: Database.Database): string[] {
  const integrity = (raw.pragma('integrity_check') as { integrity_check: string }[]).map((row) => row.integrity_check);
  const references = raw.pragma('foreign_key_check') as unknown[];
  return [...integrity.filter((line) => line !== 'ok'), ...references.map((row) => JSON.stringify(row))];
}

/**
 * What contradicts itself in a catalogue at rest: each listing is made again from what its provider said, rules and edits;
 * entries and channels belong together; nothing is left of what was broken off.
 */
export function contradictions(raw: Database.Database): string[] {
  const check = raw.transaction(() => {
    const snapshots = raw.prepare('SELECT * FROM source WHERE snapshot IS NOT NULL').all() as Selectable<
      Tables['source']
    >[];
    return [...snapshots.flatMap((source) => listingFaults(raw, source)), ...laws.flatMap((law) => broken(raw, law))];
  });
  return check();
}

type Law = readonly [what: string, broken: string];

/** Each with a query for what breaks it. */
const laws: readonly Law[] = [
  ['a refresh is under way', "SELECT id, state FROM source WHERE state IN ('fetching', 'validating', 'staging')"],
  // The matcher runs by itself after each list: one run goes on, and one more may wait for it.
  [
    'a job is stuck',
    `SELECT id, kind, state FROM job WHERE state IN ('waiting', 'running')
      AND id NOT IN (SELECT id FROM job WHERE kind = 'guide-match' ORDER BY id DESC LIMIT 2)`,
  ],
  ['a change is half done', 'SELECT id, summary FROM change WHERE rows = -1'],
  [
    'a change does not have the rows that it says',
    'SELECT id, rows FROM change c WHERE rows > -2 AND rows <> (SELECT count(*) FROM change_row WHERE change = c.id)',
  ],
  [
    'entries are stored of a snapshot out of service',
    `SELECT DISTINCT snapshot FROM (SELECT snapshot FROM snapshot_page UNION SELECT snapshot FROM listing_page UNION SELECT snapshot FROM listing
      UNION SELECT snapshot FROM missing_entry) WHERE snapshot NOT IN (SELECT snapshot FROM source WHERE snapshot IS NOT NULL)`,
  ],
  [
    'a listing has no entry',
    `SELECT snapshot, position, entry FROM listing EXCEPT
      SELECT p.snapshot, p.page * ${pageSize} + e.key, e.value FROM snapshot_page p, json_each(p.entries) e`,
  ],
  ['a snapshot is staged', "SELECT id FROM snapshot WHERE state = 'staged'"],
  [
    'changes are kept of no refresh',
    'SELECT DISTINCT snapshot FROM refresh_change WHERE snapshot NOT IN (SELECT snapshot FROM refresh WHERE snapshot IS NOT NULL)',
  ],
  [
    'an entry is in no list',
    'SELECT id FROM entry WHERE id NOT IN (SELECT e.value FROM snapshot_page p, json_each(p.entries) e)',
  ],
  ['an entry has two channels', 'SELECT entry, count(*) FROM channel_entry GROUP BY entry HAVING count(*) > 1'],
  [
    'a channel has no entry',
    'SELECT id FROM channel WHERE merged_into IS NULL AND id NOT IN (SELECT channel FROM channel_entry)',
  ],
  [
    'an edit sets nothing',
    `SELECT channel FROM channel_override WHERE coalesce(name, logo, tvg_id, groups, hidden, number, guide_shift, sort_order,
      catchup, hints) IS NULL`,
  ],
];

function broken(raw: Database.Database, [what, query]: Law): string[] {
  const rows = raw.prepare(query).all();
  return rows.length === 0 ? [] : [`${what}: ${rows.length} times, ${JSON.stringify(rows.slice(0, told))}`];
}

/** An entry of a snapshot, as its page holds it, with its channel. */
export type PagedEntry = {
  readonly position: number;
  readonly entry: number;
  readonly state: 'present' | 'missing' | 'left';
  readonly said: SaidEntry;
  readonly channel: number | null;
  readonly rank: number | null;
  readonly rule_number: string | null;
};

/** All entries of a snapshot, in order. */
export function entriesOf(raw: Database.Database, snapshot: number): PagedEntry[] {
  const rows =
    raw.prepare(`SELECT p.page * ${pageSize} + e.key AS position, e.value AS entry, coalesce(m.state, 'present') AS state,
      ce.channel, ce.rank, c.rule_number
    FROM snapshot_page p, json_each(p.entries) e
    LEFT JOIN missing_entry m ON m.snapshot = p.snapshot AND m.position = p.page * ${pageSize} + e.key
    LEFT JOIN channel_entry ce ON ce.entry = e.value LEFT JOIN channel c ON c.id = ce.channel
    WHERE p.snapshot = ? ORDER BY position`);
  const pages = raw.prepare('SELECT said FROM snapshot_page WHERE snapshot = ? ORDER BY page').pluck();
  const said = (pages.all(snapshot) as string[]).flatMap(parseSaid);
  return (rows.all(snapshot) as Omit<PagedEntry, 'said'>[]).map((row, index) => ({
    ...row,
    said: said[index] as SaidEntry,
  }));
}

type Listing = Tables['listing'];

function listingFaults(
  raw: Database.Database,
  { id, snapshot, include_vod: vod }: Selectable<Tables['source']>,
): string[] {
  const entries = entriesOf(raw, snapshot ?? 0);
  const channels = entries.filter(({ said: { kind } }) => kind === 'live' || vod === 1);
  const expected = expectedListing(raw, id, snapshot ?? 0, channels);
  const actual = raw.prepare('SELECT * FROM listing WHERE snapshot = ? ORDER BY position').all(snapshot) as Listing[];
  const found = new Map(actual.map((row) => [row.position, row]));
  const faults = expected.flatMap((row) => {
    const is = found.get(row.position);
    const differing = (Object.keys(row) as (keyof Listing)[]).filter((column) => is?.[column] !== row[column]);
    return differing.map((column) => `${row.name}: ${column} is ${is?.[column]} and not ${row[column]}`);
  });
  if (actual.length !== expected.length) faults.push(`there are ${actual.length} and not ${expected.length}`);
  const lines = searchLines(raw, snapshot ?? 0);
  const searched = entries.map(({ position }) => found.get(position)?.search ?? '');
  if (lines.length !== searched.length || lines.some((line, index) => line !== searched[index]))
    faults.push('what a search looks through is something else');
  return faults.length === 0
    ? []
    : [`listings of source ${id} are wrong, ${faults.length} times: ${faults.slice(0, told).join('; ')}`];
}

/** What a search looks through, by position. */
function searchLines(raw: Database.Database, snapshot: number): string[] {
  const pages = raw.prepare('SELECT search FROM listing_page WHERE snapshot = ? ORDER BY page').pluck();
  return (pages.all(snapshot) as string[]).flatMap((search) => search.split('\n'));
}

function expectedListing(
  raw: Database.Database,
  source: number,
  snapshot: number,
  entries: readonly PagedEntry[],
): Listing[] {
  const saids = entries.map(({ said }) => saidOf(said));
  const ruled = compiledRules(raw).applyAll(source, saids);
  const edits = overridesOf(
    raw,
    entries.flatMap(({ channel }) => channel ?? []),
  );
  return entries.flatMap(({ said, position, entry, channel, rank, state, rule_number: ruleNumber }, index) => {
    const [one, rules] = [saids[index], ruled[index]];
    if (one === undefined || rules === undefined) return [];
    const shown = effective(one, rules, ruleNumber, edits.get(channel ?? 0) ?? null);
    const { sortOrder, tvgId, guideShift, ...values } = listedValues(said, shown);
    const place = { snapshot, position, entry, channel: channel ?? 0, rank: rank ?? 0, state };
    const columns = { ...values, sort_order: sortOrder, tvg_id: tvgId, guide_shift: guideShift };
    return [{ ...place, ...columns, url: one.url, upstream: upstreamOf(said), archive: null }];
  });
}

function upstreamOf({ urls }: SaidEntry): string | null {
  for (const { url } of urls) {
    const parsed = parseUpstreamUrl(url);
    if (parsed !== null && 'upstream' in parsed) return JSON.stringify(parsed.upstream);
  }
  return null;
}
