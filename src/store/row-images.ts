import type Database from 'better-sqlite3';
import { type Key, type Row, type UserTableName, userTables } from './user-tables.js';

/** Rows of one table by their keys, in one statement. What is not there is absent. */
export function readRows(raw: Database.Database, table: UserTableName, keys: readonly Key[]): Map<string, Row> {
  const { columns } = userTables[table];
  const find = raw.prepare(`SELECT ${columns.join(', ')} FROM ${table} WHERE ${inKeys(table)}`);
  const rows = find.all(JSON.stringify(keys)) as Row[];
  return new Map(rows.map((row) => [keyText(keyOf(table, row)), row]));
}

export function deleteRows(raw: Database.Database, table: UserTableName, keys: readonly Key[]): void {
  if (keys.length > 0) raw.prepare(`DELETE FROM ${table} WHERE ${inKeys(table)}`).run(JSON.stringify(keys));
}

/** What was removed gets a version that it never had, so that an ETag never means two things. */
export function insertRows(raw: Database.Database, table: UserTableName, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const { columns } = userTables[table];
  const values = columns.map((column) => (column === 'version' ? `value ->> 'version' + 1` : `value ->> '${column}'`));
  const insert = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`;
  raw.prepare(insert).run(JSON.stringify(rows));
}

/** Sets the columns of rows that are there, all but their versions. */
export function updateRows(raw: Database.Database, table: UserTableName, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const key: readonly string[] = userTables[table].key;
  const columns = userTables[table].columns.filter((column) => column !== 'version' && !key.includes(column));
  const set = columns.map((column) => `${column} = j.value ->> '${column}'`).join(', ');
  const same = key.map((column) => `${table}.${column} = j.value ->> '${column}'`).join(' AND ');
  raw.prepare(`UPDATE ${table} SET ${set} FROM json_each(?) AS j WHERE ${same}`).run(JSON.stringify(rows));
}

export function keyOf(table: UserTableName, row: Row): Key {
  return userTables[table].key.map((column) => Number(row[column]));
}

export function keyText(key: Key): string {
  return key.join(' ');
}

/** Whether a row still is what an image of it says. Versions count changes, and are none. */
export function isSame(image: Row | null, row: Row | null): boolean {
  if (image === null || row === null) return image === row;
  return Object.keys(image).every((column) => column === 'version' || image[column] === row[column]);
}

function inKeys(table: UserTableName): string {
  const { key } = userTables[table];
  const values = key.map((_, index) => `value ->> ${index}`).join(', ');
  return `(${key.join(', ')}) IN (SELECT ${values} FROM json_each(?))`;
}
