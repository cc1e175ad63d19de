import type Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { Connection } from './connection.js';
import type { Tables } from './tables.js';

/** A connection with typed queries beside its statements. */
export function typed(raw: Database.Database): Connection {
  return { raw, db: new Kysely<Tables>({ dialect: new SqliteDialect({ database: raw }) }), close: () => raw.close() };
}
