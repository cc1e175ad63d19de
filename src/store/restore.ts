import type Database from 'better-sqlite3';
import { WeirError } from '../lib/errors.js';
import type { Journal, RowChange } from './journal.js';
import { deleteRows, insertRows, isSame, keyText, parseImage, updateRows } from './row-images.js';
import { userTableNames, userTables } from './user-tables.js';

/**
 * Writes rows back as they stood before `change`.
 * @throws WeirError `conflict`, naming the first one that is not any more what the change left.
 */
export function restore(raw: Database.Database, journal: Journal, changes: readonly RowChange[], change: number): void {
  const refuse = (why: string) => new WeirError('conflict', `Change ${change} cannot be undone: ${why}.`);
  const rows = currentOf(journal, changes);
  for (const { row, current } of rows) {
    if (!isSame(row.after, current)) throw refuse(`${titleOf(row)} was changed since. Undo the later changes first`);
    const isMade = row.before === null || row.after === null;
    if (isMade && userTables[row.table].fixed) throw refuse(`it made ${titleOf(row)}. Remove that instead`);
    if (isFilled(raw, row, changes)) throw refuse(`${titleOf(row)} got channels since. Remove it instead`);
  }
  try {
    write(raw, rows);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && /^SQLITE_CONSTRAINT/.test(String(error.code)))) throw error;
    throw refuse('what it belongs to is gone, or its name is taken since');
  }
}

/** The same, leaving out what is not any more what the change left. */
export function putBack(raw: Database.Database, journal: Journal, changes: readonly RowChange[]): void {
  write(
    raw,
    currentOf(journal, changes).filter(({ row, current }) => isSame(row.after, current)),
  );
}

type Standing = { readonly row: RowChange; readonly current: string | null };

function currentOf(journal: Journal, changes: readonly RowChange[]): Standing[] {
  return userTableNames.flatMap((table) => {
    const rows = changes.filter((row) => row.table === table);
    const keys = rows.map(({ key }) => key);
    const found = journal.touch(table, keys);
    const standing = rows.map((row) => ({ row, current: found.get(keyText(row.key)) ?? null }));
    if (!userTables[table].passing) return standing;
    return standing.filter(({ row, current }) => current !== null || row.after === null);
  });
}

/** What refers to another row is removed before it and comes back after it. */
function write(raw: Database.Database, rows: readonly Standing[]): void {
  const byTable = userTableNames.map((table) => ({ table, rows: rows.filter(({ row }) => row.table === table) }));
  for (const { table, rows } of byTable.toReversed()) {
    const keys = rows.filter(({ row }) => row.before === null).map(({ row }) => row.key);
    deleteRows(raw, table, keys);
  }
  for (const { table, rows } of byTable) {
    const images = (isThere: boolean) =>
      rows.flatMap(({ row, current }) => (row.before !== null && (current !== null) === isThere ? [row.before] : []));
    updateRows(raw, table, images(true));
    insertRows(raw, table, images(false));
  }
}

/** Whether a line-up that is to go holds channels that another change put there. */
function isFilled(raw: Database.Database, { table, key, before }: RowChange, changes: readonly RowChange[]): boolean {
  if (table !== 'lineup' || before !== null) return false;
  const items = raw.prepare('SELECT count(*) FROM lineup_item WHERE lineup = ?').pluck().get(key[0]) as number;
  return items > changes.filter((row) => row.table === 'lineup_item' && row.key[0] === key[0]).length;
}

function titleOf({ table, before, after }: RowChange): string {
  return userTables[table].title(parseImage(after ?? before ?? '{}'));
}
