import type Database from 'better-sqlite3';
import { now } from '../lib/clock.js';
import type { CatchupSetting } from '../model/archive.js';
import { effective } from '../model/effective.js';
import { keyMaker } from './key.js';
import {
  archiveText,
  compiledRules,
  type ListedColumns,
  listedColumns,
  listedValues,
  originOf,
  overridesOf,
  saidOf,
  searchColumn,
  storedSetting,
} from './listing-writes.js';
import { linesOf, pageSize, saidAt } from './pages.js';
import type { Missing, StagedPage } from './snapshot-writes.js';
import { statement } from './statements.js';

/** A channel of an entry that has one, with what was made of it before. */
type Owner = { channel: number; rank: number; rule_number: string | null };

/**
 * Stores a page of a snapshot: what was said, and for channels what is shown of it. Returns the ids of the entries, in order. For
 * the inside of a transaction.
 */
export function stagePage(raw: Database.Database, staged: StagedPage): number[] {
  const { source, snapshot, page, said, missing } = staged;
  const entries = numbered(raw, source, staged.entries);
  statement(raw, 'INSERT INTO snapshot_page VALUES (?, ?, ?, ?)').run(snapshot, page, JSON.stringify(entries), said);
  const miss = statement(raw, 'INSERT INTO missing_entry VALUES (?, ?, ?, ?, ?)');
  for (const [index, one] of missing) {
    miss.run(snapshot, page * pageSize + index, stateOf(one), one.since, one.refresh);
  }
  const search = list(raw, staged, entries);
  statement(raw, 'INSERT INTO listing_page (snapshot, page, search) VALUES (?, ?, ?)').run(snapshot, page, search);
  return entries;
}

function stateOf(missing: Missing | undefined): 'present' | 'missing' | 'left' {
  if (missing === undefined) return 'present';
  return missing.left ? 'left' : 'missing';
}

/** The entries that are continued, new ones where none is. */
function numbered(raw: Database.Database, source: number, entries: StagedPage['entries']): number[] {
  let next = addEntries(raw, source, entries.filter((entry) => entry === null).length);
  return entries.map((entry) => {
    if (entry !== null) return entry;
    next += 1;
    return next - 1;
  });
}

/** Adds entries in one statement, so that their ids follow one another. Returns the first. */
function addEntries(raw: Database.Database, source: number, count: number): number {
  if (count === 0) return 0;
  const add = statement(
    raw,
    'INSERT INTO entry (source) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT ? FROM n',
  );
  return Number(add.run(count, source).lastInsertRowid) - count + 1;
}

/** Returns the lines of what they are found by. */
function list(raw: Database.Database, staged: StagedPage, entries: readonly number[]): string {
  const { snapshot, page, missing } = staged;
  const owners = ownersOf(raw, staged, entries);
  const listed = withEdits(raw, staged, owners);
  const insert = statement(
    raw,
    'INSERT INTO listing VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (const [index, columns] of listed.entries()) {
    const owner = owners[index];
    if (!owner || columns === null) continue;
    const { channel, rank } = owner;
    insert.run(snapshot, page * pageSize + index, entries[index], channel, rank, stateOf(missing.get(index)), columns);
  }
  return listed.map((columns) => columns?.[searchColumn] ?? '').join('\n');
}

/** Rows whose channels have edits or a number by rule are made again with these; the others are ready. */
function withEdits(
  raw: Database.Database,
  { source, said, listed }: StagedPage,
  owners: readonly (Owner | null)[],
): (ListedColumns | null)[] {
  const channels = owners.flatMap((owner) => owner?.channel ?? []);
  const edits = overridesOf(raw, channels);
  const edited = owners.flatMap((owner, index) => {
    if (owner === null || (owner.rule_number === null && !edits.has(owner.channel))) return [];
    return [{ index, owner }];
  });
  const made = [...listed];
  if (edited.length === 0) return made;
  const lines = linesOf(said);
  const entries = edited.map(({ index }) => saidAt(lines, index));
  const saids = entries.map(saidOf);
  const ruled = compiledRules(raw).applyAll(source, saids);
  const ofSource = sourceCatchup(raw, source);
  for (const [count, { index, owner }] of edited.entries()) {
    const [entry, one, rules] = [entries[count], saids[count], ruled[count]];
    if (entry === undefined || one === undefined || rules === undefined) continue;
    const edit = edits.get(owner.channel) ?? null;
    const values = listedValues(entry, effective(one, rules, owner.rule_number, edit));
    const origin = originOf(listed[index] ?? []);
    const own = edit?.catchup ?? null;
    const archive = own === null ? origin.archive : archiveText(entry, [own, ofSource]);
    made[index] = listedColumns(values, { ...origin, archive });
  }
  return made;
}

function sourceCatchup(raw: Database.Database, source: number): CatchupSetting | null {
  const found = statement(raw, 'SELECT catchup FROM source WHERE id = ?').pluck().get(source);
  return storedSetting(typeof found === 'string' ? found : null);
}

/** The channel of each row; null where it is none. What is a channel for the first time gets one. */
function ownersOf(
  raw: Database.Database,
  staged: Pick<StagedPage, 'entries' | 'listed'>,
  entries: readonly number[],
): (Owner | null)[] {
  const continued = staged.entries.filter((entry, index) => entry !== null && staged.listed[index] !== null);
  const known = knownOwners(raw, continued);
  const isNew: number[] = [];
  const owners = entries.map((entry, index) => {
    if (staged.listed[index] === null) return null;
    const owner = known.get(entry);
    if (owner === undefined) isNew.push(index);
    return owner ?? null;
  });
  const first = addChannels(
    raw,
    isNew.map((index) => entries[index] ?? 0),
  );
  for (const [count, index] of isNew.entries()) owners[index] = { channel: first + count, rank: 0, rule_number: null };
  return owners;
}

/** By entry, of those that have one. */
function knownOwners(raw: Database.Database, entries: StagedPage['entries']): Map<number, Owner> {
  if (entries.length === 0) return new Map();
  const rows = statement(
    raw,
    `SELECT ce.entry, ce.channel, ce.rank, c.rule_number FROM json_each(?) JOIN channel_entry ce ON ce.entry = value
    JOIN channel c ON c.id = ce.channel`,
  );
  const owners = rows.all(JSON.stringify(entries)) as (Owner & { entry: number })[];
  return new Map(owners.map((owner) => [owner.entry, owner]));
}

/** Gives each of these entries a channel of its own; ids follow one another. Returns the first. */
export function addChannels(raw: Database.Database, entries: readonly number[]): number {
  if (entries.length === 0) return 0;
  const add = statement(raw, 'INSERT INTO channel (key, created_at) SELECT value, ? FROM json_each(?)');
  const link = statement(
    raw,
    'INSERT INTO channel_entry (channel, entry, rank) SELECT ? + key, value, 0 FROM json_each(?)',
  );
  const first = retryTaken(() => {
    const makeKey = keyMaker();
    const keys = Array.from({ length: entries.length }, makeKey);
    return Number(add.run(now(), JSON.stringify(keys)).lastInsertRowid) - entries.length + 1;
  });
  link.run(first, JSON.stringify(entries));
  return first;
}

/** Keys are random: one that is taken already is rare, and others are tried then. */
function retryTaken(insert: () => number): number {
  for (;;) {
    try {
      return insert();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_UNIQUE')) throw error;
    }
  }
}
