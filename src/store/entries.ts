import type { Selectable } from 'kysely';
import type { Entry, EntryDetail } from '../model/entry.js';
import type { Page, Paging } from '../model/page.js';
import type { Connection } from './connection.js';
import { decodeCursor, toPage } from './paging.js';
import type { Tables } from './tables.js';

export type EntryFilter = {
  readonly source?: number | undefined;
  readonly kind?: Entry['kind'] | undefined;
  readonly state?: Entry['state'] | undefined;
  /** Whether it is of a channel. */
  readonly assigned?: boolean | undefined;
  /** Stands in its name, in any case of ASCII letters. */
  readonly q?: string | undefined;
};

/** What providers said of the entries in service, those that are no channels too. */
export interface Entries {
  /** Source by source, in the order of their lists. */
  page(filter: EntryFilter, paging: Paging): Promise<Page<Entry>>;
  byId(id: number): Promise<Entry | null>;
}

export function createEntries({ db }: Connection): Entries {
  const entries = () =>
    db
      .selectFrom('snapshot_entry as e')
      .innerJoin('source as s', 's.snapshot', 'e.snapshot')
      .leftJoin('channel_entry as c', 'c.entry', 'e.entry')
      .selectAll('e')
      .select(['s.id as source', 'c.channel']);
  return {
    async page({ source, kind, state, assigned, q }, { after, limit }) {
      const [snapshot, position] = decodeCursor(after, 2) ?? [0, -1];
      let rows = entries().where((e) =>
        e.or([
          e('e.snapshot', '>', Number(snapshot)),
          e.and([e('e.snapshot', '=', Number(snapshot)), e('e.position', '>', Number(position))]),
        ]),
      );
      if (source !== undefined) rows = rows.where('s.id', '=', source);
      if (kind !== undefined) rows = rows.where('e.kind', '=', kind);
      if (state !== undefined) rows = rows.where('e.state', '=', state);
      if (assigned !== undefined) rows = rows.where('c.channel', assigned ? 'is not' : 'is', null);
      if (q !== undefined) rows = rows.where('e.name', 'like', `%${q.replace(/[%_]/g, '')}%`);
      const found = await rows
        .orderBy('e.snapshot')
        .orderBy('e.position')
        .limit(limit + 1)
        .execute();
      return toPage(found, limit, (row) => [row.snapshot, row.position], toEntry);
    },
    async byId(id) {
      const row = await entries().where('e.entry', '=', id).executeTakeFirst();
      return row === undefined ? null : toEntry(row);
    },
  };
}

function toEntry(row: Selectable<Tables['snapshot_entry']> & { source: number; channel: number | null }): Entry {
  const { entry, source, kind, state, missing_since: missingSince, line, name, tvg_id: tvgId, channel } = row;
  const groups = JSON.parse(row.groups) as string[];
  const detail = JSON.parse(row.said) as EntryDetail;
  return { id: entry, source, kind, state, missingSince, line, name, tvgId, groups, channel, ...detail };
}
