import type Database from 'better-sqlite3';
import { type Key, type Row, type UserTableName, userTables } from './user-tables.js';

/** The rows of one table by the texts of their keys, as JSON, read in one statement. What is not there is absent. */
export function readImages(raw: Database.Database, table: UserTableName, keys: readonly Key[]): Map<string, string> {
  const { key, columns } = userTables[table];
  const image = columns.map((column) => `'${column}', ${column}`).join(', ');
  const text = `${key.join(` || ' ' || `)} || ''`;
  const find = raw.prepare(`SELECT ${text}, json_object(${image}) FROM ${table} WHERE ${inKeys(table)}`);
  return new Map(find.raw().all(keyList(keys)) as [key: string, image: string][]);
}

export function deleteRows(raw: Database.Database, table: UserTableName, keys: readonly Key[]): void {
  if (keys.length > 0) raw.prepare(`DELETE FROM ${table} WHERE ${inKeys(table)}`).run(keyList(keys));
}

/** What was removed gets a version that it never had, so that an ETag never means two things. */
export function insertRows(raw: Database.Database, table: UserTableName, images: readonly string[]): void {
  if (images.length === 0) return;
  const { columns, passing } = userTables[table];
  const values = columns.map((column) => (column === 'version' ? `value ->> 'version' + 1` : `value ->> '${column}'`));
  const insert = `INSERT${passing ? ' OR REPLACE' : ''} INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`;
  raw.prepare(insert).run(`[${images.join()}]`);
}

/** Sets the columns of rows that are there, all but their versions. */
export function updateRows(raw: Database.Database, table: UserTableName, images: readonly string[]): void {
  if (images.length === 0) return;
  const key: readonly string[] = userTables[table].key;
  const columns = userTables[table].columns.filter((column) => column !== 'version' && !key.includes(column));
  const set = columns.map((column) => `${column} = j.value ->> '${column}'`).join(', ');
  const same = key.map((column) => `${table}.${column} = j.value ->> '${column}'`).join(' AND ');
  raw.prepare(`UPDATE ${table} SET ${set} FROM json_each(?) AS j WHERE ${same}`).run(`[${images.join()}]`);
}

export function parseImage(image: string): Row {
  return JSON.parse(image) as Row;
}

export function keyOf(table: UserTableName, image: string): Key {
  const row = parseImage(image);
  return userTables[table].key.map((column) => Number(row[column]));
}

export function keyText(key: Key): string {
  return key.join(' ');
}

/** Whether a row still is what an image of it says, columns added since left out. Versions count changes, and are none. */
export function isSame(image: string | null, row: string | null): boolean {
  if (image === row || image === null || row === null) return image === row;
  const [then, current] = [parseImage(image), parseImage(row)];
  return Object.keys(then).every((column) => column === 'version' || then[column] === current[column]);
}

function inKeys(table: UserTableName): string {
  const { key } = userTables[table];
  const values = key.length === 1 ? 'value' : key.map((_, index) => `value ->> ${index}`).join(', ');
  return `(${key.join(', ')}) IN (SELECT ${values} FROM json_each(?))`;
}

function keyList(keys: readonly Key[]): string {
  return JSON.stringify(keys.map((key) => (key.length === 1 ? key[0] : key)));
}
