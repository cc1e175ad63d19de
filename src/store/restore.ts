import type Database from 'better-sqlite3';
import { WeirError } from '../lib/errors.js';
import { type Journal, keyOfChange, type RowChange } from './journal.js';
import { deleteRows, insertRows, isSame, keyText, updateRows } from './row-images.js';
import { type Row, type UserTableName, userTableNames, userTables } from './user-tables.js';

/**
 * Writes rows back as they stood before `change`.
 * @throws WeirError `conflict`, naming the first one that is not any more what the change left.
 */
export function restore(raw: Database.Database, journal: Journal, changes: readonly RowChange[], change: number): void {
  const refuse = (why: string) => new WeirError('conflict', `Change ${change} cannot be undone: ${why}.`);
  const rows = currentOf(journal, changes);
  for (const { row, current } of rows) {
    const title = userTables[row.table].title(row.before ?? row.after ?? {});
    if (!isSame(row.after, current)) throw refuse(`${title} was changed since. Undo the later changes first`);
    const isMade = row.before === null || row.after === null;
    if (isMade && userTables[row.table].fixed) throw refuse(`it made ${title}. Remove that instead`);
  }
  try {
    write(raw, rows, ({ slug }) => {
      throw refuse(`line-up ${slug} got channels since. Remove it instead`);
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && /^SQLITE_CONSTRAINT/.test(String(error.code)))) throw error;
    throw refuse('what it belongs to is gone, or its name is taken since');
  }
}

/** The same, leaving out what is not any more what the change left. */
export function putBack(raw: Database.Database, journal: Journal, changes: readonly RowChange[]): void {
  const rows = currentOf(journal, changes).filter(({ row, current }) => isSame(row.after, current));
  write(raw, rows, () => undefined);
}

type Standing = { readonly row: RowChange; readonly current: Row | null };

function currentOf(journal: Journal, changes: readonly RowChange[]): Standing[] {
  return userTableNames.flatMap((table) => {
    const rows = changes.filter((row) => row.table === table);
    const found = journal.touch(table, rows.map(keyOfChange));
    const standing = rows.map((row) => ({ row, current: found.get(keyText(keyOfChange(row))) ?? null }));
    return userTables[table].passing ? standing.filter(({ current }) => current !== null) : standing;
  });
}

/** What refers to another row goes before it and comes after it. */
function write(raw: Database.Database, rows: readonly Standing[], onFilledLineup: (lineup: Row) => void): void {
  const of = (table: UserTableName) => rows.filter(({ row }) => row.table === table);
  for (const table of userTableNames.toReversed()) {
    const made = of(table).filter(({ row }) => row.before === null);
    for (const { current } of table === 'lineup' ? made : [])
      if (current !== null && isFilled(raw, current)) onFilledLineup(current);
    deleteRows(
      raw,
      table,
      made.map(({ row }) => keyOfChange(row)),
    );
  }
  for (const table of userTableNames) {
    const before = of(table).flatMap(({ row, current }) => (row.before === null ? [] : [{ row: row.before, current }]));
    updateRows(
      raw,
      table,
      before.filter(({ current }) => current !== null).map(({ row }) => row),
    );
    insertRows(
      raw,
      table,
      before.filter(({ current }) => current === null).map(({ row }) => row),
    );
  }
}

function isFilled(raw: Database.Database, { id }: Row): boolean {
  return raw.prepare('SELECT 1 FROM lineup_item WHERE lineup = ? LIMIT 1').get(id) !== undefined;
}
