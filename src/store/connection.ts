import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { messageOf, WeirError } from '../lib/errors.js';
import type { Tables } from './tables.js';

/**
 * One connection, for typed queries and, beside them, for prepared bulk statements. Never used by two threads. It is made by
 * `typed` (typed.ts) of one that is opened here: what typed queries need takes 0.1 s to load, and some threads need none.
 */
export type Connection = {
  readonly raw: Database.Database;
  readonly db: Kysely<Tables>;
  close(): void;
};

/** Milliseconds to wait for another process that is writing, such as `weir key new` beside a server. */
const busyTimeout = 5000;
/** KiB of pages kept by the writer, so that the indexes of a big import stay in memory. */
const writeCache = 8 * 1024;
/** Pages of 4 KiB in the write-ahead log at which a commit moves them to the file itself, when checkpoints.ts cannot keep up. */
const checkpointPages = 16_000;
/** Bytes that the log's file keeps once it is moved. */
const keptLog = 16 * 1024 * 1024;

export function databaseFile(dir: string): string {
  return join(dir, 'weir.db');
}

/** Makes the directory and the file where they are missing. @throws WeirError naming the file and what to do. */
export function openForWriting(dir: string): Database.Database {
  const file = databaseFile(dir);
  try {
    mkdirSync(dir, { recursive: true });
    // Addresses of lists hold passwords: a new file, and the log that SQLite makes beside it, is the owner's alone.
    closeSync(openSync(file, 'a', 0o600));
    const raw = new Database(file, { timeout: busyTimeout });
    return prepared(raw, () => {
      raw.pragma('journal_mode = WAL');
      raw.pragma('synchronous = NORMAL');
      raw.pragma('foreign_keys = ON');
      raw.pragma(`cache_size = -${writeCache}`);
      raw.pragma(`wal_autocheckpoint = ${checkpointPages}`);
      raw.pragma(`journal_size_limit = ${keptLog}`);
    });
  } catch (error) {
    throw explain(error, dir);
  }
}

/** Opens an existing database for queries only. */
export function openForReading(dir: string): Database.Database {
  try {
    const raw = new Database(databaseFile(dir), { readonly: true, timeout: busyTimeout });
    return prepared(raw, () => raw.pragma('query_only = ON'));
  } catch (error) {
    throw explain(error, dir);
  }
}

function prepared(raw: Database.Database, prepare: () => void): Database.Database {
  try {
    prepare();
  } catch (error) {
    raw.close();
    throw error;
  }
  return raw;
}

/** Puts what SQLite or the system said into one line that names the file and a way out. */
export function explain(error: unknown, dir: string, file = databaseFile(dir)): WeirError {
  if (error instanceof WeirError) return error;
  const code = codeOf(error);
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    const fix = 'Restore a backup, or move the file away to start anew.';
    return new WeirError('unavailable', `The database ${file} is damaged (${messageOf(error)}). ${fix}`, {
      cause: error,
    });
  }
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM)|EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EEXIST|EISDIR|ENOSPC)/.test(code)) {
    const fix = 'Give weir a directory that it may write to.';
    return new WeirError('unavailable', `Cannot write to the data directory ${dir} (${code}). ${fix}`, {
      cause: error,
    });
  }
  if (/^SQLITE_BUSY/.test(code)) {
    const fix = 'Try again when the other process is done.';
    return new WeirError('unavailable', `The database ${file} is locked by another process. ${fix}`, { cause: error });
  }
  return new WeirError('internal', `The database ${file} failed: ${messageOf(error)}.`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
