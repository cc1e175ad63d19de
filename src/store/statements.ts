import type Database from 'better-sqlite3';

/** By connection, then by text. */
const prepared = new WeakMap<Database.Database, Map<string, Database.Statement>>();

/**
 * A statement that is prepared once for each connection: preparing costs as much as writing some rows. It is shared, so that
 * its answers are objects always.
 */
export function statement(raw: Database.Database, sql: string): Database.Statement {
  let known = prepared.get(raw);
  if (known === undefined) {
    known = new Map();
    prepared.set(raw, known);
  }
  let found = known.get(sql);
  if (found === undefined) {
    found = raw.prepare(sql);
    known.set(sql, found);
  }
  return found;
}
