import type { Selectable } from 'kysely';
import type { Page, Paging } from '../model/page.js';
import type { Changes, EntryChange, Refresh, Snapshot } from '../model/refresh.js';
import type { Connection } from './connection.js';
import { decodeId, toPage } from './paging.js';
import type { Tables } from './tables.js';

export interface Refreshes {
  /** The kept snapshots of a source, the newest first. */
  snapshots(source: number): Promise<Snapshot[]>;
  /** The refreshes of a source that brought something, the newest first. */
  page(source: number, paging: Paging): Promise<Page<Refresh>>;
  byId(id: number): Promise<Refresh | null>;
  /** What a refresh changed, entry by entry. */
  changes(refresh: number, paging: Paging): Promise<Page<EntryChange>>;
}

export function createRefreshes({ db }: Connection): Refreshes {
  const byId = async (id: number) => await db.selectFrom('refresh').selectAll().where('id', '=', id).executeTakeFirst();
  return {
    async snapshots(source) {
      return (await snapshotsOf(db, source).execute()).map(toSnapshot);
    },
    async page(source, { after, limit }) {
      const before = decodeId(after) ?? Number.MAX_SAFE_INTEGER;
      const rows = db.selectFrom('refresh').selectAll().where('source', '=', source).where('id', '<', before);
      return toPage(
        await rows
          .orderBy('id', 'desc')
          .limit(limit + 1)
          .execute(),
        limit,
        ({ id }) => [id],
        toRefresh,
      );
    },
    async byId(id) {
      const row = await byId(id);
      return row === undefined ? null : toRefresh(row);
    },
    async changes(refresh, { after, limit }) {
      const row = await byId(refresh);
      if (row === undefined || row.snapshot === null) return { items: [], next: null };
      const position = decodeId(after) ?? -1;
      const rows = db
        .selectFrom('refresh_change')
        .selectAll()
        .where('snapshot', '=', row.snapshot)
        .where('position', '>', position);
      return toPage(
        await rows
          .orderBy('position')
          .limit(limit + 1)
          .execute(),
        limit,
        (change) => [change.position],
        toChange,
      );
    },
  };
}

function snapshotsOf(db: Connection['db'], source: number) {
  return db
    .selectFrom('snapshot as n')
    .innerJoin('source as s', 's.id', 'n.source')
    .select(['n.id', 'n.source', 'n.created_at', 'n.state', 'n.published_at', 'n.reason', 'n.entries', 'n.channels'])
    .select((e) => [e('n.body', 'is not', null).as('kept'), 's.snapshot as serving'])
    .where('n.source', '=', source)
    .where('n.state', '<>', 'staged')
    .orderBy('n.id', 'desc');
}

type SnapshotColumns = Omit<
  Selectable<Tables['snapshot']>,
  'body' | 'body_hash' | 'etag' | 'last_modified' | 'skipped' | 'kinds' | 'problems' | 'header' | 'catchup'
>;

function toSnapshot(row: SnapshotColumns & { kept: unknown; serving: number | null }): Snapshot {
  const { id, source, created_at: createdAt, published_at: publishedAt, reason, entries, channels } = row;
  const state = row.state === 'staged' ? 'rejected' : row.state;
  const counts = { entries, channels, inService: id === row.serving, kept: Boolean(row.kept) };
  return { id, source, createdAt, state, publishedAt, reason, ...counts };
}

function toRefresh(row: Selectable<Tables['refresh']>): Refresh {
  const { id, source, cause, started_at: startedAt, ended_at: endedAt, outcome, reason, snapshot, listed } = row;
  const counts = JSON.parse(row.counts) as Partial<Changes>;
  return { id, source, cause, startedAt, endedAt, outcome, reason, snapshot, counts, listed };
}

function toChange({ kind, entry, name, fields, reason }: Selectable<Tables['refresh_change']>): EntryChange {
  return { kind, entry, name, fields: JSON.parse(fields) as EntryChange['fields'], reason };
}
