import type Database from 'better-sqlite3';
import { now } from '../lib/clock.js';
import type { Actor, Change } from '../model/change.js';
import type { Edited } from '../model/edit.js';
import { shorten, underWay } from './change-log.js';
import { toChange } from './change-row.js';
import { relist } from './listing-writes.js';
import { keyText, readImages } from './row-images.js';
import { type Key, type Owner, type UserTableName, userTables } from './user-tables.js';

/** Channels whose listings are made anew in one go: what that needs is garbage before it is old, which saves a quarter. */
const listedAtOnce = 1000;

/** A row that a change made, changed or removed, as JSON. */
export type RowChange = {
  readonly table: UserTableName;
  readonly key: Key;
  readonly before: string | null;
  readonly after: string | null;
};

/** Notes rows before they are written; afterwards it tells which of them are others. */
export class Journal {
  readonly #raw: Database.Database;
  /** By table and the text of their keys. */
  readonly #touched = new Map<UserTableName, Map<string, { readonly key: Key; readonly before: string | null }>>();

  constructor(raw: Database.Database) {
    this.#raw = raw;
  }

  /** To be called before rows are written, for each row that may be. Returns the rows as they are, by the text of their keys. */
  touch(table: UserTableName, keys: readonly Key[]): Map<string, string> {
    const rows = readImages(this.#raw, table, keys);
    const touched = this.#of(table);
    for (const key of keys) {
      const text = keyText(key);
      if (!touched.has(text)) touched.set(text, { key, before: rows.get(text) ?? null });
    }
    return rows;
  }

  /** To be called after a row was made whose key nobody knew before. */
  made(table: UserTableName, key: Key): void {
    this.#of(table).set(keyText(key), { key, before: null });
  }

  changes(): RowChange[] {
    return [...this.#touched].flatMap(([table, touched]) => {
      const rows = readImages(
        this.#raw,
        table,
        [...touched.values()].map(({ key }) => key),
      );
      const changes = [...touched].map(([text, row]) => ({ table, ...row, after: rows.get(text) ?? null }));
      return changes.filter(({ before, after }) => before !== after);
    });
  }

  #of(table: UserTableName) {
    const touched = this.#touched.get(table) ?? new Map();
    this.#touched.set(table, touched);
    return touched;
  }
}

/**
 * Writes something as one entry of the change log: rows touched in the journal are kept as they were and as they are,
 * versions counted, listings made anew. For the inside of a transaction.
 */
export function record(
  raw: Database.Database,
  actor: Actor,
  summary: string,
  write: (journal: Journal) => void,
): Edited {
  const changes = perform(raw, write);
  if (changes.length === 0) return { change: null, rows: 0 };
  const change = addChange(raw, actor, summary, changes.length);
  keep(raw, change.id, 0, changes);
  shorten(raw, changes.length);
  nextGeneration(raw);
  return { change, rows: changes.length };
}

/** How many rows a write would change. For the inside of a transaction, which it leaves as it was. */
export function tryOut(raw: Database.Database, write: (journal: Journal) => void): number {
  raw.exec('SAVEPOINT try_out');
  try {
    const journal = new Journal(raw);
    write(journal);
    return journal.changes().length;
  } finally {
    raw.exec('ROLLBACK TO try_out; RELEASE try_out');
  }
}

/** Starts a change that is too big for one transaction. Returns its id. */
export function begin(raw: Database.Database, actor: Actor, summary: string): number {
  return addChange(raw, actor, summary, underWay).id;
}

/** Writes a part of such a change. Returns how many rows it changed. */
export function resume(raw: Database.Database, change: number, write: (journal: Journal) => void): number {
  const changes = perform(raw, write);
  const next = raw.prepare('SELECT coalesce(max(position) + 1, 0) FROM change_row WHERE change = ?').pluck();
  keep(raw, change, Number(next.get(change)), changes);
  shorten(raw, changes.length);
  return changes.length;
}

export function nextGeneration(raw: Database.Database): void {
  raw.exec('UPDATE catalogue SET generation = generation + 1');
}

/** Counts the changes of rows' owners, and makes the listings of channels anew. */
export function settle(raw: Database.Database, changes: readonly RowChange[]): void {
  const owners = new Map<Owner, Set<number>>();
  for (const { table, key, before } of changes) {
    const { owner } = userTables[table];
    // What was just made has its first version.
    if (owner === null || (owner === table && before === null)) continue;
    const ids = owners.get(owner) ?? new Set();
    owners.set(owner, ids.add(key[0] ?? 0));
  }
  for (const [table, ids] of owners) {
    const count = `UPDATE ${table} SET version = version + 1 WHERE id IN (SELECT value FROM json_each(?))`;
    raw.prepare(count).run(JSON.stringify([...ids]));
  }
  const channels = [...(owners.get('channel') ?? [])];
  for (let from = 0; from < channels.length; from += listedAtOnce) {
    relist(raw, channels.slice(from, from + listedAtOnce));
  }
}

function perform(raw: Database.Database, write: (journal: Journal) => void): RowChange[] {
  const journal = new Journal(raw);
  write(journal);
  const changes = journal.changes();
  settle(raw, changes);
  return changes;
}

function addChange(raw: Database.Database, actor: Actor, summary: string, rows: number): Change {
  const add = raw.prepare('INSERT INTO change (at, api_key, actor, summary, rows) VALUES (?, ?, ?, ?, ?) RETURNING *');
  return toChange(add.get(now(), actor.key, actor.name, summary, rows) as Parameters<typeof toChange>[0]);
}

function keep(raw: Database.Database, change: number, first: number, changes: readonly RowChange[]): void {
  const add = raw.prepare('INSERT INTO change_row VALUES (?, ?, ?, ?, ?)');
  for (const [index, { table, before, after }] of changes.entries()) {
    add.run(change, first + index, table, before, after);
  }
}
