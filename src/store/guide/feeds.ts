import type { Selectable } from 'kysely';
import type { GuideCounts } from '../../model/guide.js';
import { decodeId, toPage } from '../paging.js';
import type { WriterOf } from '../writer.js';
import type { GuideConnection } from './connection.js';
import type { BodyRef, FeedRefresh, FeedRow, GuideFeeds } from './contract.js';
import type { GuideTables } from './tables.js';
import { forgetFeed } from './tidy.js';
import type { GuideWrites } from './writes.js';

type Row<Table extends keyof GuideTables> = Selectable<GuideTables[Table]>;

export function createFeeds({ raw, db }: GuideConnection, writer: WriterOf<GuideWrites>): GuideFeeds {
  const feeds = raw.prepare('SELECT * FROM feed WHERE source = coalesce(?, source) ORDER BY source');
  const snapshots = raw.prepare(
    "SELECT * FROM snapshot WHERE state <> 'staged' AND source = coalesce(?, source) ORDER BY id DESC",
  );
  // Both are of one instant: what waits is what came after the one in service.
  const read = raw.transaction((source: number | null): FeedRow[] => {
    const kept = snapshots.all(source) as Row<'snapshot'>[];
    return (feeds.all(source) as Row<'feed'>[]).map((row) => feedOf(row, kept));
  });
  return {
    all: () => Promise.resolve(read(null)),
    byId: (source) => Promise.resolve(read(source).at(0) ?? null),
    setState: (source, state, reason = null) => writer.call('setFeedState', { source, state, reason }),
    plan: (source, at) => writer.call('planFeed', { source, at }),
    confirm: (source, validators) => writer.call('confirmFeed', { source, validators: validators ?? null }),
    fail: (input) => writer.call('failFeed', input),
    async refreshes(source, { after, limit }) {
      const last = decodeId(after);
      let query = db.selectFrom('feed_refresh').selectAll().where('source', '=', source).orderBy('id', 'desc');
      if (last !== null) query = query.where('id', '<', last);
      const rows = await query.limit(limit + 1).execute();
      return toPage(rows, limit, ({ id }) => [id], refreshOf);
    },
    async bodies() {
      const rows = await db
        .selectFrom('snapshot as n')
        .innerJoin('feed as f', 'f.source', 'n.source')
        .select('n.body')
        .where((when) => when.or([when('n.state', '<>', 'published'), when('n.id', '=', when.ref('f.snapshot'))]))
        .execute();
      return [...new Set(rows.flatMap(({ body }) => body ?? []))];
    },
    forget: (source) => forgetFeed(writer, source),
  };
}

/** `snapshots` are those of all sources, the newest first. */
function feedOf(row: Row<'feed'>, snapshots: readonly Row<'snapshot'>[]): FeedRow {
  const { source, state, reason, failures } = row;
  const serving = snapshots.find(({ id }) => id === row.snapshot);
  const waits = (one: Row<'snapshot'>) => one.source === source && one.state === 'quarantined';
  const waiting = snapshots.find((one) => waits(one) && one.id > (row.snapshot ?? 0));
  return {
    ...{ source, state, reason, failures },
    service: serving === undefined ? null : serviceOf(serving),
    waiting: waiting === undefined ? null : waitingOf(waiting),
    nextRefreshAt: row.next_refresh_at,
    refreshedAt: row.refreshed_at,
    publishedAt: row.published_at,
  };
}

function serviceOf(row: Row<'snapshot'>): FeedRow['service'] {
  const { id, manner, listing, counts } = row;
  const said = JSON.parse(counts) as GuideCounts;
  return { snapshot: id, body: bodyOf(row), manner: manner ?? '', listing, counts: said };
}

function waitingOf(row: Row<'snapshot'>): FeedRow['waiting'] {
  const { id, created_at, reason, counts } = row;
  const said = JSON.parse(counts) as GuideCounts;
  return { snapshot: id, since: created_at, reason: reason ?? '', body: bodyOf(row), counts: said };
}

function bodyOf({ body, body_hash, etag, last_modified }: Row<'snapshot'>): BodyRef {
  return { file: body, hash: body_hash, etag, lastModified: last_modified };
}

function refreshOf(row: Row<'feed_refresh'>): FeedRefresh {
  const { id, source, cause, outcome, reason, snapshot } = row;
  const counts = JSON.parse(row.counts) as Partial<GuideCounts>;
  return { id, source, cause, startedAt: row.started_at, endedAt: row.ended_at, outcome, reason, snapshot, counts };
}
