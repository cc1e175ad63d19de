import type Database from 'better-sqlite3';
import { statement } from '../statements.js';

/** Milliseconds of a transaction that goes through much. */
const longestChunk = 12;

/** Connections that dropped no text since they began to go through all titles. */
const swept = new WeakSet<Database.Database>();

/** Runs steps in one transaction until there are no more, or until others have waited long enough. True while there are more. */
export function inChunk(raw: Database.Database, step: () => boolean): boolean {
  const end = performance.now() + longestChunk;
  const run = () => {
    for (;;) {
      if (!step()) return false;
      if (performance.now() > end) return true;
    }
  };
  return raw.transaction(run).immediate();
}

/**
 * Deletes at most `limit` airings that a condition says, and what only they had. Returns how many there were. For the inside
 * of a transaction.
 */
export function dropAirings(raw: Database.Database, where: string, values: readonly number[], limit: number): number {
  const remove = statement(
    raw,
    `DELETE FROM programme WHERE (channel, start, stop, hash) IN
    (SELECT channel, start, stop, hash FROM programme WHERE ${where} LIMIT ?) RETURNING text`,
  );
  const texts = remove.all(...values, limit) as { text: number }[];
  dropUnusedTexts(
    raw,
    texts.map(({ text }) => text),
  );
  return texts.length;
}

/** Deletes those of these texts that no airing has. Returns how many there were. */
export function dropUnusedTexts(raw: Database.Database, texts: readonly number[]): number {
  if (texts.length === 0) return 0;
  const remove = statement(
    raw,
    `DELETE FROM text WHERE id IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM programme p WHERE p.text = text.id) RETURNING id, title`,
  );
  const gone = remove.all(JSON.stringify([...new Set(texts)])) as { id: number; title: number }[];
  if (gone.length === 0) return 0;
  swept.delete(raw);
  const removePairs = statement(
    raw,
    'DELETE FROM title_text WHERE (title, text) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))',
  );
  removePairs.run(JSON.stringify(gone.map(({ id, title }) => [title, id])));
  return gone.length;
}

/** Called when all titles are to be gone through for unused ones. False when there are none. */
export function startSweep(raw: Database.Database): boolean {
  if (swept.has(raw)) return false;
  swept.add(raw);
  return true;
}

/** It is not gone on with. */
export function leaveSweep(raw: Database.Database): null {
  swept.delete(raw);
  return null;
}
