import type Database from 'better-sqlite3';
import { WeirError } from '../lib/errors.js';

/**
 * The ids, each once, when all of them are channels of their own.
 * @throws WeirError `not-found`; `conflict` for one that was merged into another.
 */
export function requireChannels(raw: Database.Database, ids: readonly number[]): readonly number[] {
  const find = raw.prepare('SELECT id, merged_into FROM channel WHERE id IN (SELECT value FROM json_each(?))');
  const rows = find.raw().all(JSON.stringify(ids)) as [id: number, mergedInto: number | null][];
  const found = new Map(rows);
  const unique = [...new Set(ids)];
  for (const id of unique) {
    const mergedInto = found.get(id);
    if (mergedInto === undefined) throw new WeirError('not-found', `There is no channel ${id}.`);
    if (mergedInto !== null) {
      throw new WeirError('conflict', `Channel ${id} was merged into channel ${mergedInto}. Use that one.`);
    }
  }
  return unique;
}

/** Channels as the change log names them. */
export function named(raw: Database.Database, channels: readonly number[]): string {
  const [only] = channels;
  if (only === undefined || channels.length > 1) return `${channels.length} channels`;
  const name = raw.prepare('SELECT name FROM listing WHERE channel = ? LIMIT 1').pluck().get(only);
  return name === undefined ? `channel ${only}` : `channel ${only} (${String(name)})`;
}
