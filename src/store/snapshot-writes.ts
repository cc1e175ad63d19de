import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { now } from '../lib/clock.js';
import type { Connection } from './connection.js';
import { keyMaker } from './key.js';
import { nextGeneration } from './source-writes.js';

/** An entry of a new snapshot, columns ready to be stored. */
export type StagedEntry = {
  readonly position: number;
  /** The entry that it continues, or null for a new one. */
  readonly entry: number | null;
  readonly missing: { readonly since: number; readonly refresh: number; readonly left: boolean } | null;
  readonly line: number;
  readonly raw: string;
  readonly name: string;
  readonly tvgId: string | null;
  readonly tvgName: string | null;
  readonly groups: string;
  readonly logo: string | null;
  readonly urls: string;
  readonly attributes: string;
  /** Null when the relay cannot receive it: then it is no channel. */
  readonly upstream: string | null;
};

export type SnapshotSummary = {
  readonly entries: number;
  readonly channels: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly problems: Readonly<Record<string, number>>;
  readonly changes: Changes;
};

/** How a list differs from the one before: counts of entries. */
export type Changes = Readonly<
  Record<'added' | 'removed' | 'returned' | 'renamed' | 'moved' | 'regrouped' | 'suspect', number>
>;

type Publication = {
  readonly source: number;
  readonly snapshot: number;
  readonly summary: SnapshotSummary;
  readonly bodyHash: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

/** Rows deleted in one go, so that other writes never wait long. */
const pruneChunk = 1000;

export const snapshotWrites = {
  async beginSnapshot({ db }: Connection, input: { source: number }) {
    const row = { source: input.source, created_at: now(), published_at: null };
    return (await db.insertInto('snapshot').values(row).returning('id').executeTakeFirstOrThrow()).id;
  },

  /** Adds a chunk to a snapshot that is not in service yet. New entries get their channels here, unseen until then. */
  stageEntries({ raw }: Connection, input: { source: number; snapshot: number; rows: readonly StagedEntry[] }) {
    raw.transaction(() => stage(raw, input.source, input.snapshot, input.rows)).immediate();
  },

  /** Puts a snapshot in service in place of its source's last one. */
  async publishSnapshot({ db }: Connection, input: Publication) {
    const { entries, channels, skipped, problems, changes } = input.summary;
    const time = now();
    await db.transaction().execute(async (trx) => {
      const counts = { entries, channels, skipped: JSON.stringify(skipped), problems: JSON.stringify(problems) };
      const filled = { ...counts, changes: JSON.stringify(changes), published_at: time };
      await trx.updateTable('snapshot').set(filled).where('id', '=', input.snapshot).execute();
      const body = { body_hash: input.bodyHash, etag: input.etag, last_modified: input.lastModified };
      const state = { state: 'published' as const, reason: null, refreshed_at: time, published_at: time };
      const swap = { ...body, ...state, snapshot: input.snapshot, refreshes: sql<number>`refreshes + 1` };
      await trx.updateTable('source').set(swap).where('id', '=', input.source).execute();
      await trx.updateTable('catalogue').set(nextGeneration).execute();
    });
  },

  /** Removes a part of the snapshots that are out of service. True while there is more to remove. */
  pruneSnapshots({ raw }: Connection, _input: null) {
    return raw.transaction(() => prune(raw)).immediate();
  },
};

function stage(raw: Database.Database, source: number, snapshot: number, rows: readonly StagedEntry[]): void {
  const hasChannel = raw.prepare('SELECT 1 FROM channel_entry WHERE entry = ?');
  const insert = raw.prepare('INSERT INTO snapshot_entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const unpublished: number[] = [];
  let nextNew = addEntries(raw, source, rows.filter(({ entry }) => entry === null).length);
  for (const row of rows) {
    const entry = row.entry ?? nextNew;
    if (row.entry === null) nextNew += 1;
    if (row.upstream !== null && (row.entry === null || hasChannel.get(entry) === undefined)) unpublished.push(entry);
    const { missing, position, line, name, tvgId, tvgName, groups, logo, urls, attributes, upstream } = row;
    const state = missing === null ? 'present' : missing.left ? 'left' : 'missing';
    const since = missing?.since ?? null;
    const refresh = missing?.refresh ?? null;
    const known = [name, tvgId, tvgName, groups, logo, urls, attributes, upstream];
    insert.run(snapshot, position, entry, state, since, refresh, line, row.raw, ...known);
  }
  addChannels(raw, unpublished);
}

/** Adds entries in one statement, so that their ids follow one another. Returns the first. */
function addEntries(raw: Database.Database, source: number, count: number): number {
  if (count === 0) return 0;
  const add = raw.prepare(`INSERT INTO entry (source)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT ? FROM n`);
  return Number(add.run(count, source).lastInsertRowid) - count + 1;
}

/** Gives each of these entries a channel of its own. */
function addChannels(raw: Database.Database, entries: readonly number[]): void {
  if (entries.length === 0) return;
  const add = raw.prepare('INSERT INTO channel (key, created_at) SELECT value, ? FROM json_each(?)');
  const link = raw.prepare(
    'INSERT INTO channel_entry (channel, entry, rank) SELECT ? + key, value, 0 FROM json_each(?)',
  );
  const first = retryTaken(() => {
    const makeKey = keyMaker();
    const keys = Array.from({ length: entries.length }, makeKey);
    return Number(add.run(now(), JSON.stringify(keys)).lastInsertRowid) - entries.length + 1;
  });
  link.run(first, JSON.stringify(entries));
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

function prune(raw: Database.Database): boolean {
  const old = raw.prepare(`SELECT n.id, n.published_at IS NULL AS dead FROM snapshot n JOIN source s ON s.id = n.source
    WHERE s.snapshot IS NULL OR s.snapshot <> n.id LIMIT 1`);
  const snapshot = old.get() as { id: number; dead: number } | undefined;
  if (snapshot === undefined) return false;
  const rows = raw.prepare('SELECT position, entry FROM snapshot_entry WHERE snapshot = ? ORDER BY position LIMIT ?');
  const chunk = rows.all(snapshot.id, pruneChunk) as { position: number; entry: number }[];
  const removeRow = raw.prepare('DELETE FROM snapshot_entry WHERE snapshot = ? AND position = ?');
  const isUsed = raw.prepare('SELECT 1 FROM snapshot_entry WHERE entry = ? LIMIT 1');
  const removeChannel = raw.prepare(
    'DELETE FROM channel WHERE id IN (SELECT channel FROM channel_entry WHERE entry = ?)',
  );
  const removeEntry = raw.prepare('DELETE FROM entry WHERE id = ?');
  for (const { position, entry } of chunk) {
    removeRow.run(snapshot.id, position);
    if (isUsed.get(entry) !== undefined) continue;
    if (snapshot.dead === 1) removeChannel.run(entry);
    removeEntry.run(entry);
  }
  if (chunk.length < pruneChunk) raw.prepare('DELETE FROM snapshot WHERE id = ?').run(snapshot.id);
  return true;
}
