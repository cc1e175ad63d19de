import type Database from 'better-sqlite3';
import { now } from '../lib/clock.js';
import { WeirError } from '../lib/errors.js';
import type { By, Edited } from '../model/edit.js';
import { named, requireChannels } from './channel-ids.js';
import type { Connection } from './connection.js';
import { takeGuides } from './guide-link-moves.js';
import { checkChannel } from './if-match.js';
import { type Journal, record } from './journal.js';
import { keyMaker } from './key.js';

type Merge = { readonly channel: number; readonly others: readonly number[]; readonly by: By };
type Split = { readonly channel: number; readonly entry: number; readonly by: By };
type Ranking = { readonly channel: number; readonly entries: readonly number[]; readonly by: By };

export const mergeWrites = {
  mergeChannels({ raw }: Connection, { channel, others, by }: Merge): Edited {
    const run = raw.transaction(() => {
      requireChannels(raw, [channel]);
      checkChannel(raw, channel, by.ifMatch);
      const taken = requireChannels(raw, others);
      if (taken.includes(channel)) throw new WeirError('invalid', `Channel ${channel} cannot be merged into itself.`);
      const summary = `merge ${named(raw, taken)} into ${named(raw, [channel])}`;
      return record(raw, by.actor, summary, (journal) => merge(raw, journal, channel, taken));
    });
    return run.immediate();
  },

  splitEntry({ raw }: Connection, { channel, entry, by }: Split): Edited & { readonly channel: number } {
    const run = raw.transaction(() => {
      requireChannels(raw, [channel]);
      checkChannel(raw, channel, by.ifMatch);
      const entries = entriesOf(raw, channel);
      if (!entries.includes(entry)) throw new WeirError('not-found', `Channel ${channel} has no entry ${entry}.`);
      if (entries.length === 1) {
        throw new WeirError(
          'conflict',
          `Entry ${entry} is the only one of channel ${channel}: it has a channel of its own.`,
        );
      }
      const own = originOf(raw, channel, entry) ?? makeMerged(raw, channel);
      const rest = entries.filter((id) => id !== entry);
      const summary = `give entry ${entry} of ${named(raw, [channel])} a channel of its own, ${own}`;
      const edited = record(raw, by.actor, summary, (journal) => split(raw, journal, channel, rest, entry, own));
      return { ...edited, channel: own };
    });
    return run.immediate();
  },

  rankEntries({ raw }: Connection, { channel, entries, by }: Ranking): Edited {
    const run = raw.transaction(() => {
      requireChannels(raw, [channel]);
      checkChannel(raw, channel, by.ifMatch);
      const known = entriesOf(raw, channel);
      if (known.length !== entries.length || !known.every((id) => entries.includes(id))) {
        throw new WeirError('invalid', `Name each entry of channel ${channel} once: ${known.join(', ')}.`);
      }
      return record(raw, by.actor, `rank the entries of ${named(raw, [channel])}`, (journal) => {
        journal.touch('channel_entry', keysOf(channel, known));
        rank(raw, channel, entries);
      });
    });
    return run.immediate();
  },
};

/**
 * Moves the entries of `others` behind those of `channel`. What is set on the others stays with them, unused; places in
 * line-ups and guides go over to the channel, and suggestions that this settles are accepted.
 */
export function merge(raw: Database.Database, journal: Journal, channel: number, others: readonly number[]): void {
  const own = entriesOf(raw, channel);
  const moved = others.flatMap((other) => entriesOf(raw, other).map((entry) => [other, entry] as const));
  const entries = moved.map(([, entry]) => entry);
  journal.touch('channel_entry', [...moved, ...keysOf(channel, [...own, ...entries])]);
  const move = raw.prepare('UPDATE channel_entry SET channel = ? WHERE channel = ? AND entry = ?');
  for (const [other, entry] of moved) move.run(channel, other, entry);
  rank(raw, channel, [...own, ...entries]);
  const ids = JSON.stringify(others);
  // Those that were merged into the others before come along.
  const joined = raw.prepare(
    'SELECT id FROM channel WHERE id IN (SELECT value FROM json_each(:ids)) OR merged_into IN (SELECT value FROM json_each(:ids))',
  );
  const merged = joined.pluck().all({ ids }) as number[];
  journal.touch(
    'channel',
    merged.map((id) => [id]),
  );
  raw
    .prepare('UPDATE channel SET merged_into = ? WHERE id IN (SELECT value FROM json_each(?))')
    .run(channel, JSON.stringify(merged));
  takePlaces(raw, journal, channel, others);
  takeGuides(raw, journal, channel, others);
  acceptSettled(raw, journal, channel);
}

function split(
  raw: Database.Database,
  journal: Journal,
  channel: number,
  rest: readonly number[],
  entry: number,
  own: number,
): void {
  journal.touch('channel', [[own]]);
  journal.touch('channel_entry', [...keysOf(channel, [...rest, entry]), [own, entry]]);
  raw.prepare('UPDATE channel SET merged_into = NULL WHERE id = ?').run(own);
  raw
    .prepare('UPDATE channel_entry SET channel = ?, rank = 0 WHERE channel = ? AND entry = ?')
    .run(own, channel, entry);
  rank(raw, channel, rest);
}

type Place = { lineup: number; channel: number; sort_order: number | null; number: string | null };

/**
 * Of the places that they have in a line-up the channel gets the first, and the number there; the others are given up. To be
 * kept out of one does not go over, and a place of another is more than that.
 */
function takePlaces(raw: Database.Database, journal: Journal, channel: number, others: readonly number[]): void {
  const find = raw.prepare(`SELECT i.lineup, i.channel, i.sort_order, i.number FROM json_each(?) j
    JOIN lineup_item i ON i.channel = j.value WHERE i.excluded = 0 ORDER BY i.sort_order IS NULL, i.sort_order, j.key`);
  const places = find.all(JSON.stringify([channel, ...others])) as Place[];
  const given = places.filter((place) => place.channel !== channel);
  const lineups = new Set(given.map(({ lineup }) => lineup));
  journal.touch('lineup_item', [...given, ...[...lineups].map((lineup) => ({ lineup, channel }))].map(placeKey));
  const leave = raw.prepare('DELETE FROM lineup_item WHERE lineup = ? AND channel = ?');
  for (const { lineup, channel: other } of given) leave.run(lineup, other);
  const take =
    raw.prepare(`INSERT INTO lineup_item (lineup, channel, sort_order, number, excluded) VALUES (?, ?, ?, ?, 0)
    ON CONFLICT DO UPDATE SET sort_order = excluded.sort_order, number = excluded.number, excluded = 0`);
  for (const lineup of lineups) {
    const own = places.filter((place) => place.lineup === lineup);
    const number = own.find((place) => place.number !== null)?.number ?? null;
    take.run(lineup, channel, own[0]?.sort_order ?? null, number);
  }
}

function placeKey({ lineup, channel }: Pick<Place, 'lineup' | 'channel'>): readonly [lineup: number, channel: number] {
  return [lineup, channel];
}

/** Accepts the open suggestions whose two channels are one now. */
function acceptSettled(raw: Database.Database, journal: Journal, channel: number): void {
  const find =
    raw.prepare(`SELECT s.id FROM suggestion s JOIN channel a ON a.id = s.channel JOIN channel b ON b.id = s.other
    WHERE s.state = 'open' AND coalesce(a.merged_into, a.id) = :channel AND coalesce(b.merged_into, b.id) = :channel`);
  const settled = find.pluck().all({ channel }) as number[];
  journal.touch(
    'suggestion',
    settled.map((id) => [id]),
  );
  const accept = raw.prepare("UPDATE suggestion SET state = 'accepted' WHERE id IN (SELECT value FROM json_each(?))");
  accept.run(JSON.stringify(settled));
}

/** The channel that an entry had first, where that was merged into this one: it gets back its address and what was set on it. */
function originOf(raw: Database.Database, channel: number, entry: number): number | undefined {
  const merged = raw.prepare('SELECT id FROM channel WHERE merged_into = ?').pluck().all(channel) as number[];
  if (merged.length === 0) return undefined;
  const find = raw.prepare(`SELECT before ->> 'channel' FROM change_row
    WHERE table_name = 'channel_entry' AND after IS NULL AND before ->> 'entry' = ? ORDER BY change LIMIT 1`);
  const first = find.pluck().get(entry);
  return merged.find((id) => id === first);
}

/** A new channel begins as one that was merged: an undo makes it that again, and its address goes on working. */
function makeMerged(raw: Database.Database, channel: number): number {
  const add = raw.prepare('INSERT OR IGNORE INTO channel (key, created_at, merged_into) VALUES (?, ?, ?)');
  for (;;) {
    const { changes, lastInsertRowid } = add.run(keyMaker()(), now(), channel);
    if (changes === 1) return Number(lastInsertRowid);
  }
}

function entriesOf(raw: Database.Database, channel: number): number[] {
  return raw
    .prepare('SELECT entry FROM channel_entry WHERE channel = ? ORDER BY rank')
    .pluck()
    .all(channel) as number[];
}

function keysOf(channel: number, entries: readonly number[]): (readonly [channel: number, entry: number])[] {
  return entries.map((entry) => [channel, entry]);
}

function rank(raw: Database.Database, channel: number, entries: readonly number[]): void {
  const set = raw.prepare('UPDATE channel_entry SET rank = ? WHERE channel = ? AND entry = ?');
  for (const [index, entry] of entries.entries()) set.run(index, channel, entry);
}
