import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { WeirError } from '../../lib/errors.js';
import { explain } from '../connection.js';
import { migrate } from '../migrate.js';

const steps = new URL('../../../../migrations/guide/', import.meta.url);
/** Milliseconds to wait for another process that is writing. */
const busyTimeout = 5000;
/** Bytes: contents of programmes are some hundred each. Pages of 4 KiB would waste more of their ends. */
const pageSize = 8192;
/** KiB of pages kept by the writer. */
const writeCache = 16 * 1024;
/** Pages in the write-ahead log before they are moved to the file: 16 MiB. */
const checkpointPages = 2000;
/** Bytes of the write-ahead log that are left of it when a long read made it grow. */
const logLimit = 64 * 1024 * 1024;

export function guideFile(dir: string): string {
  return join(dir, 'guide.db');
}

/** What says that the file was found to be damaged while it was open: it is made anew at the next start. */
function damageMark(dir: string): string {
  return `${guideFile(dir)}.damaged`;
}

/**
 * Opens the file, made where it is missing. One that is damaged or of a newer version is moved to `guide.db.broken` and made
 * anew: all that it holds can be fetched again. `say` is told so in one line.
 * @throws WeirError when the directory cannot be written.
 */
export function openGuideForWriting(dir: string, say: (line: string) => void): Database.Database {
  if (existsSync(damageMark(dir))) moveAway(dir, 'it was damaged when it was used last', say);
  try {
    return openFile(dir);
  } catch (error) {
    if (!isUseless(error)) throw explainGuide(error, dir);
    moveAway(dir, error instanceof WeirError ? 'a newer Weir wrote it' : 'it is damaged', say);
  }
  try {
    return openFile(dir);
  } catch (error) {
    throw explainGuide(error, dir);
  }
}

function openFile(dir: string): Database.Database {
  const file = guideFile(dir);
  mkdirSync(dir, { recursive: true });
  closeSync(openSync(file, 'a', 0o600));
  const raw = new Database(file, { timeout: busyTimeout });
  return prepared(raw, () => {
    // Both count for a file without tables only.
    raw.pragma(`page_size = ${pageSize}`);
    raw.pragma('auto_vacuum = INCREMENTAL');
    raw.pragma('journal_mode = WAL');
    raw.pragma('synchronous = NORMAL');
    // What a statement of many rows may have to take back: else a file for each transaction.
    raw.pragma('temp_store = MEMORY');
    raw.pragma(`cache_size = -${writeCache}`);
    raw.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    raw.pragma(`journal_size_limit = ${logLimit}`);
    migrate(raw, steps);
  });
}

/** Opens an existing file for queries only. @throws WeirError naming the file. */
export function openGuideForReading(dir: string): Database.Database {
  try {
    const raw = new Database(guideFile(dir), { readonly: true, timeout: busyTimeout });
    return prepared(raw, () => raw.pragma('query_only = ON'));
  } catch (error) {
    throw explainGuide(error, dir);
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

/** What a write or opening met, in one line. What is damaged is marked, so that the next start makes it anew. */
export function explainGuide(error: unknown, dir: string): WeirError {
  if (!isDamage(error)) return explain(error, dir, guideFile(dir));
  writeFileSync(damageMark(dir), '');
  const fix = 'Start weir again: it is made anew then, and guides are fetched again.';
  return new WeirError('unavailable', `The database ${guideFile(dir)} is damaged. ${fix}`, { cause: error });
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(NOTADB|CORRUPT)/.test(String(error.code));
}

function isUseless(error: unknown): boolean {
  return isDamage(error) || (error instanceof WeirError && error.code === 'conflict');
}

function moveAway(dir: string, why: string, say: (line: string) => void): void {
  const file = guideFile(dir);
  const broken = `${file}.broken`;
  if (existsSync(file)) renameSync(file, broken);
  for (const beside of [`${file}-wal`, `${file}-shm`, damageMark(dir)]) rmSync(beside, { force: true });
  say(`The guide's database was moved to ${broken} and made anew, because ${why}. All guides are fetched again.`);
}
