import type Database from 'better-sqlite3';
import { simplified } from '../../model/search.js';
import { statement } from '../statements.js';

/** Titles whose ids are remembered: those of a run of channels come again and again. */
const remembered = 20_000;

/** By connection, then by title. */
const known = new WeakMap<Database.Database, Map<string, number>>();

/** The ids of titles, made where missing; in order. For the inside of a transaction: `forgetTitleIds` when that is undone. */
export function titleIds(raw: Database.Database, titles: readonly string[]): number[] {
  let ids = known.get(raw);
  if (ids === undefined || ids.size > remembered) {
    ids = new Map();
    known.set(raw, ids);
  }
  const find = statement(raw, 'SELECT id FROM title WHERE text = ?');
  const insert = statement(raw, 'INSERT INTO title (text, folded) VALUES (?, ?)');
  const idOf = (title: string) => {
    const found = find.get(title) as { id: number } | undefined;
    return found?.id ?? Number(insert.run(title, simplified(title)).lastInsertRowid);
  };
  return titles.map((title) => {
    const id = ids.get(title) ?? idOf(title);
    ids.set(title, id);
    return id;
  });
}

/** What was remembered may be gone. */
export function forgetTitleIds(raw: Database.Database): void {
  known.delete(raw);
}
