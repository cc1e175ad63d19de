import type Database from 'better-sqlite3';
import type { Selectable } from 'kysely';
import { WeirError } from '../lib/errors.js';
import type { By, Edited } from '../model/edit.js';
import { named } from './channel-ids.js';
import type { Connection } from './connection.js';
import { type Journal, record } from './journal.js';
import { merge } from './merge-writes.js';
import type { Tables } from './tables.js';

type SuggestionRow = Selectable<Tables['suggestion']>;
type Answer = { readonly id: number; readonly as: 'accepted' | 'rejected'; readonly by: By };

export const suggestionWrites = {
  resolveSuggestion({ raw }: Connection, { id, as, by }: Answer): Edited {
    const run = raw.transaction(() => {
      const row = raw.prepare('SELECT * FROM suggestion WHERE id = ?').get(id) as SuggestionRow | undefined;
      if (row === undefined) throw new WeirError('not-found', `There is no suggestion ${id}.`);
      if (row.state === 'accepted' && as === 'rejected') {
        throw new WeirError('conflict', `Suggestion ${id} was accepted. Undo that change, or split the channel.`);
      }
      const channel = rootOf(raw, row.channel);
      const other = rootOf(raw, row.other);
      const what = `that ${named(raw, [other])} is ${named(raw, [channel])}`;
      return record(raw, by.actor, `${as === 'accepted' ? 'accept' : 'reject'} ${what}`, (journal) => {
        if (as === 'accepted' && channel !== other) merge(raw, journal, channel, [other]);
        resolve(raw, journal, id, as);
      });
    });
    return run.immediate();
  },
};

function resolve(raw: Database.Database, journal: Journal, id: number, as: Answer['as']): void {
  journal.touch('suggestion', [[id]]);
  raw.prepare('UPDATE suggestion SET state = ? WHERE id = ?').run(as, id);
}

/** The channel that one was merged into since, or itself. */
function rootOf(raw: Database.Database, channel: number): number {
  return Number(raw.prepare('SELECT coalesce(merged_into, id) FROM channel WHERE id = ?').pluck().get(channel));
}
