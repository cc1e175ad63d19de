import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Selectable } from 'kysely';
import { effective } from '../../src/model/effective.js';
import type { EntryDetail } from '../../src/model/entry.js';
import { parseUpstreamUrl } from '../../src/model/upstream.js';
import { compiledRules, listedValues, overridesOf, saidOf } from '../../src/store/listing-writes.js';
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
  ['a job is stuck', "SELECT id, kind, state FROM job WHERE state IN ('waiting', 'running')"],
  ['a change is half done', 'SELECT id, summary FROM change WHERE rows < 0'],
  [
    'a change does not have the rows that it says',
    'SELECT id, rows FROM change c WHERE rows <> (SELECT count(*) FROM change_row WHERE change = c.id)',
  ],
  [
    'entries are stored of a snapshot out of service',
    'SELECT DISTINCT snapshot FROM snapshot_entry WHERE snapshot NOT IN (SELECT snapshot FROM source WHERE snapshot IS NOT NULL)',
  ],
  [
    'a listing has no entry',
    'SELECT snapshot, position FROM listing EXCEPT SELECT snapshot, position FROM snapshot_entry',
  ],
  ['a snapshot is staged', "SELECT id FROM snapshot WHERE state = 'staged'"],
  [
    'changes are kept of no refresh',
    'SELECT DISTINCT snapshot FROM refresh_change WHERE snapshot NOT IN (SELECT snapshot FROM refresh WHERE snapshot IS NOT NULL)',
  ],
  ['an entry is in no list', 'SELECT id FROM entry WHERE id NOT IN (SELECT entry FROM snapshot_entry)'],
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

type Row = Selectable<Tables['snapshot_entry']> & {
  channel: number | null;
  rank: number | null;
  rule_number: string | null;
};
type Listing = Tables['listing'];

function listingFaults(
  raw: Database.Database,
  { id, snapshot, include_vod: vod }: Selectable<Tables['source']>,
): string[] {
  const rows = raw
    .prepare(`SELECT e.*, ce.channel, ce.rank, c.rule_number FROM snapshot_entry e LEFT JOIN channel_entry ce ON ce.entry = e.entry
      LEFT JOIN channel c ON c.id = ce.channel WHERE e.snapshot = ? ORDER BY e.position`)
    .all(snapshot) as Row[];
  const expected = expectedListing(
    raw,
    id,
    rows.filter(({ kind }) => kind === 'live' || vod === 1),
  );
  const actual = raw.prepare('SELECT * FROM listing WHERE snapshot = ? ORDER BY position').all(snapshot) as Listing[];
  const found = new Map(actual.map((row) => [row.position, row]));
  const faults = expected.flatMap((row) => {
    const is = found.get(row.position);
    const differing = (Object.keys(row) as (keyof Listing)[]).filter((column) => is?.[column] !== row[column]);
    return differing.map((column) => `${row.name}: ${column} is ${is?.[column]} and not ${row[column]}`);
  });
  if (actual.length !== expected.length) faults.push(`there are ${actual.length} and not ${expected.length}`);
  return faults.length === 0
    ? []
    : [`listings of source ${id} are wrong, ${faults.length} times: ${faults.slice(0, told).join('; ')}`];
}

function expectedListing(raw: Database.Database, source: number, rows: readonly Row[]): Listing[] {
  const details = rows.map(({ said }) => JSON.parse(said) as EntryDetail);
  const saids = rows.map((row, index) => saidOf(row, details[index] as EntryDetail));
  const ruled = compiledRules(raw).applyAll(source, saids);
  const edits = overridesOf(
    raw,
    rows.flatMap(({ channel }) => channel ?? []),
  );
  return rows.flatMap((row, index) => {
    const [detail, said, rules] = [details[index], saids[index], ruled[index]];
    if (detail === undefined || said === undefined || rules === undefined) return [];
    const { snapshot, position, entry, channel, rank, state, url } = row;
    const { sortOrder, tvgId, guideShift, ...values } = listedValues(
      said,
      detail,
      effective(said, rules, row.rule_number, edits.get(channel ?? 0) ?? null),
    );
    const shown = { ...values, sort_order: sortOrder, tvg_id: tvgId, guide_shift: guideShift };
    return [
      {
        snapshot,
        position,
        entry,
        channel: channel ?? 0,
        rank: rank ?? 0,
        state,
        ...shown,
        url,
        upstream: upstreamOf(detail),
      },
    ];
  });
}

function upstreamOf({ urls }: EntryDetail): string | null {
  for (const { url } of urls) {
    const parsed = parseUpstreamUrl(url);
    if (parsed !== null && 'upstream' in parsed) return JSON.stringify(parsed.upstream);
  }
  return null;
}
