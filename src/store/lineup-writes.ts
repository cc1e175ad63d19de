import type Database from 'better-sqlite3';
import { WeirError } from '../lib/errors.js';
import type { By } from '../model/edit.js';
import type { Lineup, LineupItem } from '../model/lineup.js';
import { requireChannels } from './channel-ids.js';
import type { Connection } from './connection.js';
import { checkVersion } from './if-match.js';
import { record } from './journal.js';
import { lineupOf } from './lineup-row.js';

type NewLineup = Omit<Lineup, 'id' | 'version'>;
/** An item to put in or change, or a channel to take out. */
export type ItemPatch = LineupItem | { readonly channel: number; readonly remove: true };

/** Characters. */
const longestSlug = 64;

export const lineupWrites = {
  createLineup({ raw }: Connection, { lineup, by }: { readonly lineup: NewLineup; readonly by: By }) {
    const run = raw.transaction(() => {
      checkSlug(raw, lineup.slug, null);
      const edited = record(raw, by.actor, `make line-up ${lineup.slug}`, (journal) => {
        const add = raw.prepare('INSERT INTO lineup (slug, name, filter) VALUES (:slug, :name, :filter)');
        journal.made('lineup', [Number(add.run(columnsOf(lineup)).lastInsertRowid)]);
      });
      return { ...edited, made: requireLineup(raw, lineup.slug) };
    });
    return run.immediate();
  },

  updateLineup(
    { raw }: Connection,
    input: { readonly slug: string; readonly patch: Partial<NewLineup>; readonly by: By },
  ) {
    const { slug, patch, by } = input;
    const run = raw.transaction(() => {
      const lineup = { ...requireLineup(raw, slug, by), ...patch };
      checkSlug(raw, lineup.slug, lineup.id);
      const edited = record(raw, by.actor, `change line-up ${slug}`, (journal) => {
        journal.touch('lineup', [[lineup.id]]);
        const set = raw.prepare('UPDATE lineup SET slug = :slug, name = :name, filter = :filter WHERE id = :id');
        set.run({ ...columnsOf(lineup), id: lineup.id });
      });
      return { ...edited, made: requireLineup(raw, lineup.slug) };
    });
    return run.immediate();
  },

  removeLineup({ raw }: Connection, { slug, by }: { readonly slug: string; readonly by: By }) {
    const run = raw.transaction(() => {
      const { id } = requireLineup(raw, slug, by);
      return record(raw, by.actor, `remove line-up ${slug}`, (journal) => {
        const items = raw.prepare('SELECT channel FROM lineup_item WHERE lineup = ?').pluck().all(id) as number[];
        journal.touch('lineup', [[id]]);
        journal.touch(
          'lineup_item',
          items.map((channel) => [id, channel]),
        );
        raw.prepare('DELETE FROM lineup WHERE id = ?').run(id);
      });
    });
    return run.immediate();
  },

  setLineupItems(
    { raw }: Connection,
    input: { readonly slug: string; readonly items: readonly ItemPatch[]; readonly by: By },
  ) {
    const { slug, items, by } = input;
    const run = raw.transaction(() => {
      const { id } = requireLineup(raw, slug, by);
      requireChannels(
        raw,
        items.filter((item) => !('remove' in item)).map(({ channel }) => channel),
      );
      return record(raw, by.actor, `change ${items.length} channels of line-up ${slug}`, (journal) => {
        journal.touch(
          'lineup_item',
          items.map(({ channel }) => [id, channel]),
        );
        setItems(raw, id, items);
      });
    });
    return run.immediate();
  },
};

function setItems(raw: Database.Database, lineup: number, items: readonly ItemPatch[]): void {
  const remove = raw.prepare('DELETE FROM lineup_item WHERE lineup = ? AND channel = ?');
  const put =
    raw.prepare(`INSERT INTO lineup_item (lineup, channel, sort_order, number, excluded) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET sort_order = excluded.sort_order, number = excluded.number, excluded = excluded.excluded`);
  for (const item of items) {
    if ('remove' in item) remove.run(lineup, item.channel);
    else put.run(lineup, item.channel, item.order, item.number, Number(item.excluded));
  }
}

function columnsOf({ slug, name, filter }: NewLineup) {
  return { slug, name, filter: filter === null ? null : JSON.stringify(filter) };
}

function requireLineup(raw: Database.Database, slug: string, by?: By): Lineup {
  const row = raw.prepare('SELECT * FROM lineup WHERE slug = ?').get(slug) as
    | Parameters<typeof lineupOf>[0]
    | undefined;
  if (row === undefined) throw new WeirError('not-found', `There is no line-up ${slug}.`);
  checkVersion(row.version, by?.ifMatch, `Line-up ${slug}`);
  return lineupOf(row);
}

/** @throws WeirError `invalid`; `conflict` when another line-up has it. */
function checkSlug(raw: Database.Database, slug: string, own: number | null): void {
  if (slug.length > longestSlug || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
    const rule = `${longestSlug} lower case letters and digits at most, with single hyphens between them`;
    throw new WeirError('invalid', `"${slug}" cannot stand in the address of a line-up: use ${rule}.`);
  }
  const other = raw.prepare('SELECT 1 FROM lineup WHERE slug = ? AND id IS NOT ?').get(slug, own);
  if (other !== undefined) throw new WeirError('conflict', `There is a line-up ${slug} already. Choose another slug.`);
}
