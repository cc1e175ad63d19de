import type Database from 'better-sqlite3';
import type { Selectable } from 'kysely';
import { WeirError } from '../lib/errors.js';
import { noSuchChange } from '../model/change.js';
import type { By, Edited } from '../model/edit.js';
import { shorten, underWay } from './change-log.js';
import { toChange } from './change-row.js';
import { atOnce } from './channel-edit-writes.js';
import type { Connection } from './connection.js';
import { begin, Journal, nextGeneration, type RowChange, record, resume, settle } from './journal.js';
import { putBack, restore } from './restore.js';
import { keyOf } from './row-images.js';
import { revive } from './source-edit-writes.js';
import type { Tables } from './tables.js';
import { type UserTableName, userTableNames } from './user-tables.js';

export type Undone = Edited & {
  /** The tables whose rows it set back: who applies rules or plans refreshes looks here. */
  readonly tables: readonly UserTableName[];
};
type ChangeRow = Selectable<Tables['change']>;

/** Rows that are set back in one transaction, of changes that are too big for one. */
const partSize = 500;

export const undoWrites = {
  undoChange(
    { raw }: Connection,
    input: { readonly change: number; readonly by: By },
  ): Undone | { readonly unfinished: number } {
    const { change: id, by } = input;
    return raw.transaction(() => undoChange(raw, id, by)).immediate();
  },

  /** Sets a part of the rows of `undoes` back. Returns where the next one begins, null at the end. */
  undoPart(
    { raw }: Connection,
    { change, undoes, from }: { readonly change: number; readonly undoes: number; readonly from: number },
  ) {
    const run = raw.transaction(() => {
      const rows = rowsOf(raw, undoes, from, partSize);
      resume(raw, change, (journal) => restore(raw, journal, rows, undoes));
      return rows.length < partSize ? null : from + partSize;
    });
    return run.immediate();
  },

  /** Ends a change of several transactions: it is seen from now on. */
  finishChange(
    { raw }: Connection,
    { change, undoes }: { readonly change: number; readonly undoes: number | null },
  ): Edited {
    const run = raw.transaction(() => {
      const rows = Number(raw.prepare('SELECT count(*) FROM change_row WHERE change = ?').pluck().get(change));
      if (rows === 0) {
        raw.prepare('DELETE FROM change WHERE id = ?').run(change);
        return { change: null, rows };
      }
      const finish = raw.prepare('UPDATE change SET rows = ? WHERE id = ? RETURNING *');
      const row = finish.get(rows, change) as ChangeRow;
      if (undoes !== null) mark(raw, undoes, change);
      shorten(raw, 0);
      nextGeneration(raw);
      return { change: toChange(row), rows };
    });
    return run.immediate();
  },

  /**
   * Sets a part of an unfinished change back, of any one when none is named; the last part removes it. What somebody else
   * changed meanwhile stays as it is. False when nothing is left to do.
   */
  abandonPart({ raw }: Connection, { change }: { readonly change: number | null }): boolean {
    const run = raw.transaction(() => {
      const find = raw.prepare('SELECT id FROM change WHERE rows = ? AND id = coalesce(?, id) LIMIT 1');
      const id = find.pluck().get(underWay, change) as number | undefined;
      if (id !== undefined) abandonPart(raw, id);
      return id !== undefined;
    });
    return run.immediate();
  },
};

function undoChange(raw: Database.Database, id: number, by: By): Undone | { readonly unfinished: number } {
  const row = raw.prepare('SELECT * FROM change WHERE id = ?').get(id) as ChangeRow | undefined;
  if (row === undefined || row.rows < 0) throw new WeirError('not-found', noSuchChange);
  if (row.undone_by !== null) {
    throw new WeirError(
      'conflict',
      `Change ${id} was undone by change ${row.undone_by}. Undo that one to have it again.`,
    );
  }
  const tables = tablesOf(raw, id);
  const summary = `undo: ${row.summary}`;
  if (row.rows > atOnce && tables.every((table) => table === 'channel_override')) {
    return { unfinished: begin(raw, by.actor, summary) };
  }
  const rows = rowsOf(raw, id, 0, row.rows);
  const edited = record(raw, by.actor, summary, (journal) => restore(raw, journal, rows, id));
  for (const { table, key } of rows) if (table === 'source') revive(raw, key[0] ?? 0);
  if (edited.change !== null) mark(raw, id, edited.change.id);
  return { ...edited, tables };
}

/** What the change had undone itself is there again. One that is kept no longer refers to nothing. */
function mark(raw: Database.Database, change: number, undoneBy: number): void {
  raw.prepare('UPDATE change SET undone_by = ? WHERE id = ? AND rows > 0').run(undoneBy, change);
  raw.prepare('UPDATE change SET undone_by = NULL WHERE undone_by = ?').run(change);
}

function abandonPart(raw: Database.Database, change: number): void {
  const last = raw.prepare('SELECT max(position) FROM change_row WHERE change = ?').pluck().get(change) as
    | number
    | null;
  if (last === null) {
    raw.prepare('DELETE FROM change WHERE id = ?').run(change);
    nextGeneration(raw);
    return;
  }
  const from = Math.max(0, last + 1 - partSize);
  const journal = new Journal(raw);
  putBack(raw, journal, rowsOf(raw, change, from, partSize));
  settle(raw, journal.changes());
  raw.prepare('DELETE FROM change_row WHERE change = ? AND position >= ?').run(change, from);
}

function rowsOf(raw: Database.Database, change: number, from: number, count: number): RowChange[] {
  const find = raw.prepare(`SELECT table_name, before, after FROM change_row WHERE change = ? AND position >= ?
    ORDER BY position LIMIT ?`);
  const rows = find.all(change, from, count) as Selectable<Tables['change_row']>[];
  return rows.flatMap(({ table_name: name, before, after }) => {
    const table = userTableNames.find((known) => known === name);
    return table === undefined ? [] : [{ table, key: keyOf(table, after ?? before ?? '{}'), before, after }];
  });
}

function tablesOf(raw: Database.Database, change: number): UserTableName[] {
  const names = raw.prepare('SELECT DISTINCT table_name FROM change_row WHERE change = ?').pluck().all(change);
  return userTableNames.filter((table) => names.includes(table));
}
