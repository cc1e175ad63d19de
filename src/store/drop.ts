import type Database from 'better-sqlite3';
import { pageSize } from './pages.js';
import { statement } from './statements.js';

/**
 * Removes a page of a snapshot, unless that is in service: its listings and those of its entries that are `unused`, and with what
 * never was in service its channels, for nobody saw them. For the inside of a transaction.
 */
export function dropPage(raw: Database.Database, snapshot: number, page: number, unused: readonly number[]): void {
  const old = statement(
    raw,
    'SELECT n.state FROM snapshot n JOIN source s ON s.id = n.source WHERE n.id = ? AND n.id IS NOT s.snapshot',
  );
  const found = old.get(snapshot) as { state: string } | undefined;
  if (found === undefined) return;
  const [first, behind] = [page * pageSize, (page + 1) * pageSize];
  for (const table of ['listing', 'missing_entry'])
    statement(raw, `DELETE FROM ${table} WHERE snapshot = ? AND position >= ? AND position < ?`).run(
      ...[snapshot, first, behind],
    );
  for (const table of ['listing_page', 'snapshot_page'])
    statement(raw, `DELETE FROM ${table} WHERE snapshot = ? AND page = ?`).run(snapshot, page);
  dropEntries(raw, JSON.stringify(unused), found.state === 'staged');
}

/** An entry that is still listed somewhere stays, whatever was thought of it. */
function dropEntries(raw: Database.Database, entries: string, neverServed: boolean): void {
  const unlisted = `SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM channel_entry ce
    JOIN listing l ON l.channel = ce.channel AND l.entry = ce.entry WHERE ce.entry = value)`;
  const removeChannels = statement(
    raw,
    `DELETE FROM channel WHERE id IN (SELECT channel FROM channel_entry WHERE entry IN (${unlisted}))
    AND NOT EXISTS (SELECT 1 FROM channel_entry o WHERE o.channel = channel.id AND o.entry NOT IN (SELECT value FROM json_each(?)))`,
  );
  if (neverServed) removeChannels.run(entries, entries);
  statement(raw, `DELETE FROM entry WHERE id IN (${unlisted})`).run(entries);
}
