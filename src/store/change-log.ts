import type Database from 'better-sqlite3';

import { keptChanges } from '../model/change.js';

/** Rows that are kept, of all changes together: the oldest go first, the newest never. */
const keptRows = 1_000_000;

/** What `change.rows` is while a change is written in several transactions: nobody sees it before it is finished. */
export const underWay = -1;
/** What it is of one that is not kept: nobody sees it any more. At first its rows are there still, and at last some may be. */
const leaving = -2;
const left = -3;

/** Rows that go with each change that is made, beside as many as it has: a big one takes long to go. */
const rowsAtOnce = 1000;

/**
 * Lets go of the changes that are too many. While one is under way it may be the undo of any: then none is. For the inside of
 * a transaction.
 */
export function shorten(raw: Database.Database, written: number): void {
  const isUnderWay = raw.prepare('SELECT 1 FROM change WHERE rows = ?').get(underWay) !== undefined;
  if (!isUnderWay) dismiss(raw);
  sweep(raw, written + rowsAtOnce);
}

function dismiss(raw: Database.Database): void {
  const all = raw.prepare('SELECT count(*), sum(rows) FROM change WHERE rows > 0').raw();
  let [changes, rows] = all.get() as [changes: number, rows: number];
  const oldest = raw.prepare('SELECT id, rows FROM change WHERE rows > 0 ORDER BY id LIMIT 1');
  const leave = raw.prepare('UPDATE change SET rows = ?, undone_by = NULL WHERE id = ?');
  while (changes > keptChanges || (rows > keptRows && changes > 1)) {
    const change = oldest.get() as { id: number; rows: number };
    leave.run(leaving, change.id);
    changes -= 1;
    rows -= change.rows;
  }
}

/** What says which channel an entry came from stays: one that is split off gets that channel back. */
function sweep(raw: Database.Database, most: number): void {
  const next = raw.prepare('SELECT id FROM change WHERE rows = ? ORDER BY id LIMIT 1').pluck();
  const remove =
    raw.prepare(`DELETE FROM change_row WHERE change = :change AND position IN (SELECT position FROM change_row
    WHERE change = :change AND NOT (table_name = 'channel_entry' AND after IS NULL) ORDER BY position LIMIT :most)`);
  const end = raw.prepare(
    'DELETE FROM change WHERE id = :change AND NOT EXISTS (SELECT 1 FROM change_row WHERE change = :change)',
  );
  const close = raw.prepare('UPDATE change SET rows = ? WHERE id = ?');
  for (let rest = most; rest > 0; ) {
    const change = next.get(leaving) as number | undefined;
    if (change === undefined) return;
    rest -= remove.run({ change, most: rest }).changes;
    if (rest > 0 && end.run({ change }).changes === 0) close.run(left, change);
  }
}
