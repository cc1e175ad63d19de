import type Database from 'better-sqlite3';
import { now } from '../lib/clock.js';
import { effective } from '../model/effective.js';
import type { EntryDetail } from '../model/entry.js';
import { keyMaker } from './key.js';
import { compiledRules, type ListedValues, listedValues, overridesOf, saidOf } from './listing-writes.js';
import type { StagedEntry } from './snapshot-writes.js';
import { statement } from './statements.js';

/** Rows deleted in one go, so that other writes never wait long. */
const dropChunk = 500;

/** A channel of an entry that has one, with what was made of it before. */
type Owner = { channel: number; rank: number; rule_number: string | null };

/**
 * Stores a chunk of a snapshot: what was said, and for channels what is shown of it. Returns the ids of the entries, in
 * order. For the inside of a transaction.
 */
export function stageRows(
  raw: Database.Database,
  source: number,
  snapshot: number,
  rows: readonly StagedEntry[],
): number[] {
  const entries = numbered(raw, source, rows);
  const insert = statement(raw, 'INSERT INTO snapshot_entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (const [index, row] of rows.entries()) {
    const { missing, position, line, kind, url, name, tvgId, groups, said } = row;
    const [since, refresh] = [missing?.since ?? null, missing?.refresh ?? null];
    const where = [snapshot, position, entries[index], stateOf(row), since, refresh];
    insert.run(where, line, kind, url, name, tvgId, groups, said);
  }
  list(raw, source, snapshot, rows, entries);
  return entries;
}

function stateOf({ missing }: StagedEntry): 'present' | 'missing' | 'left' {
  if (missing === null) return 'present';
  return missing.left ? 'left' : 'missing';
}

/** The entries that rows continue, new ones where they continue none. */
function numbered(raw: Database.Database, source: number, rows: readonly StagedEntry[]): number[] {
  let next = addEntries(raw, source, rows.filter(({ entry }) => entry === null).length);
  return rows.map(({ entry }) => {
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

function list(
  raw: Database.Database,
  source: number,
  snapshot: number,
  rows: readonly StagedEntry[],
  entries: readonly number[],
): void {
  const owners = ownersOf(raw, rows, entries);
  const insert = statement(raw, 'INSERT INTO listing VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const values = withEdits(raw, source, rows, owners);
  for (const [index, row] of rows.entries()) {
    const [owner, v] = [owners[index], values[index]];
    if (!owner || !v) continue;
    const { channel, rank } = owner;
    const where = [snapshot, row.position, entries[index], channel, rank, stateOf(row), v.hidden, v.sortOrder];
    const shown = [v.name, v.search, v.number, v.groups, v.logo, v.tvgId, v.guideShift, v.radio];
    insert.run(where, shown, row.url, row.upstream, v.extras);
  }
}

/** Rows whose channels have edits or a number by rule are made again with these; the others are ready. */
function withEdits(
  raw: Database.Database,
  source: number,
  rows: readonly StagedEntry[],
  owners: readonly (Owner | null)[],
): (ListedValues | null)[] {
  const edits = overridesOf(
    raw,
    owners.flatMap((owner) => owner?.channel ?? []),
  );
  const values = rows.map(({ listed }) => listed);
  const edited = [...rows.keys()].filter((index) => {
    const owner = owners[index] ?? null;
    return values[index] !== null && owner !== null && (owner.rule_number !== null || edits.has(owner.channel));
  });
  if (edited.length === 0) return values;
  const made = edited.flatMap((index) => {
    const row = rows[index];
    const detail = JSON.parse(row?.said ?? '') as EntryDetail;
    return row === undefined ? [] : [{ detail, said: saidOf({ ...row, tvg_id: row.tvgId }, detail) }];
  });
  const ruled = compiledRules(raw).applyAll(
    source,
    made.map(({ said }) => said),
  );
  for (const [count, index] of edited.entries()) {
    const [one, rules, owner] = [made[count], ruled[count], owners[index]];
    if (one === undefined || rules === undefined || !owner) continue;
    const shown = effective(one.said, rules, owner.rule_number, edits.get(owner.channel) ?? null);
    values[index] = listedValues(one.said, one.detail, shown);
  }
  return values;
}

/** The channel of each row; null where it is none. What is a channel for the first time gets one. */
function ownersOf(raw: Database.Database, rows: readonly StagedEntry[], entries: readonly number[]): (Owner | null)[] {
  const known = knownOwners(
    raw,
    rows.flatMap(({ entry, listed }) => (entry === null || listed === null ? [] : entry)),
  );
  const isNew: number[] = [];
  const owners = rows.map(({ entry, listed }, index) => {
    if (listed === null) return null;
    const owner = entry === null ? undefined : known.get(entry);
    if (owner !== undefined) return owner;
    isNew.push(index);
    return null;
  });
  const first = addChannels(
    raw,
    isNew.map((index) => entries[index] ?? 0),
  );
  for (const [count, index] of isNew.entries()) owners[index] = { channel: first + count, rank: 0, rule_number: null };
  return owners;
}

/** By entry, of those that have one. */
function knownOwners(raw: Database.Database, entries: readonly number[]): Map<number, Owner> {
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

type Old = { id: number; state: string };

/** Removes entries of a snapshot that is not in service. True while there are more. */
export function dropEntries(raw: Database.Database): boolean {
  const old = raw.prepare(`SELECT n.id, n.state FROM snapshot n JOIN source s ON s.id = n.source
    WHERE n.id IS NOT s.snapshot AND (n.state = 'staged' OR EXISTS (SELECT 1 FROM snapshot_entry e WHERE e.snapshot = n.id)) LIMIT 1`);
  const snapshot = old.get() as Old | undefined;
  if (snapshot === undefined) return false;
  const next = statement(
    raw,
    'SELECT position, entry FROM snapshot_entry WHERE snapshot = ? ORDER BY position LIMIT ?',
  );
  const chunk = next.all(snapshot.id, dropChunk) as { position: number; entry: number }[];
  const last = chunk.at(-1)?.position ?? -1;
  for (const table of ['snapshot_entry', 'listing'])
    statement(raw, `DELETE FROM ${table} WHERE snapshot = ? AND position <= ?`).run(snapshot.id, last);
  dropUnused(
    raw,
    chunk.map(({ entry }) => entry),
    snapshot.state === 'staged',
  );
  if (chunk.length < dropChunk && snapshot.state === 'staged')
    raw.prepare('DELETE FROM snapshot WHERE id = ?').run(snapshot.id);
  return true;
}

/** Removes those of these entries that no snapshot has, and with what never was in service its channels: nobody saw them. */
function dropUnused(raw: Database.Database, entries: readonly number[], neverServed: boolean): void {
  const unused = statement(
    raw,
    'SELECT value AS entry FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM snapshot_entry e WHERE e.entry = value)',
  );
  const rows = unused.all(JSON.stringify(entries)) as { entry: number }[];
  const removeChannel = statement(
    raw,
    `DELETE FROM channel WHERE id IN (SELECT channel FROM channel_entry WHERE entry = ?)
    AND NOT EXISTS (SELECT 1 FROM channel_entry o WHERE o.channel = channel.id AND o.entry <> ?)`,
  );
  const removeEntry = statement(raw, 'DELETE FROM entry WHERE id = ?');
  for (const { entry } of rows) {
    if (neverServed) removeChannel.run(entry, entry);
    removeEntry.run(entry);
  }
}
