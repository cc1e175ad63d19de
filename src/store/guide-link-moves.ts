import type Database from 'better-sqlite3';
import type { Journal } from './journal.js';

type Row = { id: number; channel: number; guide_source: number; guide_key: string; origin: string; rank: number };

/**
 * Lets a channel take over the guide of those that were merged into it: links that users made stand behind its own, others
 * where it has none of that guide source. For the inside of a transaction.
 */
export function takeGuides(raw: Database.Database, journal: Journal, channel: number, others: readonly number[]): void {
  const ids = JSON.stringify(others);
  const rows = raw.prepare(`SELECT l.* FROM json_each(?) j JOIN guide_link l ON l.channel = j.value
    ORDER BY j.key, l.rank, l.id`);
  const own = raw.prepare('SELECT * FROM guide_link WHERE channel = ?').all(channel) as Row[];
  const sources = new Set(own.map(({ guide_source: source }) => source));
  let last = own.reduce((highest, { origin, rank }) => (origin === 'user' ? Math.max(highest, rank) : highest), -1);
  const move = raw.prepare('UPDATE guide_link SET channel = ?, rank = ? WHERE id = ?');
  for (const row of rows.all(ids) as Row[]) {
    if (sources.has(row.guide_source)) continue;
    sources.add(row.guide_source);
    journal.touch('guide_link', [[row.id]]);
    if (row.origin === 'user') last += 1;
    move.run(channel, row.origin === 'user' ? last : row.rank, row.id);
  }
  takeRejections(raw, journal, channel, ids);
  raw.prepare('DELETE FROM guide_review WHERE channel IN (SELECT value FROM json_each(?))').run(ids);
}

function takeRejections(raw: Database.Database, journal: Journal, channel: number, others: string): void {
  const find = raw.prepare('SELECT id FROM guide_rejection WHERE channel IN (SELECT value FROM json_each(?))');
  const ids = find.pluck().all(others) as number[];
  journal.touch(
    'guide_rejection',
    ids.map((id) => [id]),
  );
  const move = raw.prepare(
    'UPDATE OR IGNORE guide_rejection SET channel = ? WHERE id IN (SELECT value FROM json_each(?))',
  );
  move.run(channel, JSON.stringify(ids));
}
