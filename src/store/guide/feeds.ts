import type Database from 'better-sqlite3';
import type { GuideCounts } from '../../model/guide.js';
import { decodeId, toPage } from '../paging.js';
import type { WriterOf } from '../writer.js';
import type { BodyRef, FeedRefresh, FeedRow, FeedState, GuideFeeds } from './contract.js';
import { forgetFeed } from './tidy.js';
import type { GuideWrites } from './writes.js';

type Feed = {
  source: number;
  state: FeedState;
  reason: string | null;
  snapshot: number | null;
  failures: number;
  next_refresh_at: number | null;
  refreshed_at: number | null;
  published_at: number | null;
};
type Snapshot = {
  id: number;
  source: number;
  state: 'published' | 'quarantined';
  created_at: number;
  reason: string | null;
  body: string | null;
  body_hash: string;
  etag: string | null;
  last_modified: string | null;
  manner: string | null;
  listing: number;
  counts: string;
};
type Refresh = Omit<FeedRefresh, 'startedAt' | 'endedAt' | 'counts'> & {
  started_at: number;
  ended_at: number;
  counts: string;
};

export function createFeeds(raw: Database.Database, writer: WriterOf<GuideWrites>): GuideFeeds {
  const feeds = raw.prepare('SELECT * FROM feed WHERE source = coalesce(?, source) ORDER BY source');
  const snapshots = raw.prepare(
    "SELECT * FROM snapshot WHERE state <> 'staged' AND source = coalesce(?, source) ORDER BY id DESC",
  );
  const refreshes = raw.prepare('SELECT * FROM feed_refresh WHERE source = ? AND id < ? ORDER BY id DESC LIMIT ?');
  const bodies = raw
    .prepare(
      `SELECT DISTINCT n.body FROM snapshot n JOIN feed f ON f.source = n.source
      WHERE n.body IS NOT NULL AND (n.state <> 'published' OR n.id = f.snapshot)`,
    )
    .pluck();
  // Both are of one instant: what waits is what came after the one in service.
  const read = raw.transaction((source: number | null): FeedRow[] => {
    const kept = snapshots.all(source) as Snapshot[];
    return (feeds.all(source) as Feed[]).map((row) => feedOf(row, kept));
  });
  return {
    all: () => Promise.resolve(read(null)),
    byId: (source) => Promise.resolve(read(source).at(0) ?? null),
    setState: (source, state, reason = null) => writer.call('setFeedState', { source, state, reason }),
    plan: (source, at) => writer.call('planFeed', { source, at }),
    confirm: (source, validators) => writer.call('confirmFeed', { source, validators: validators ?? null }),
    fail: (input) => writer.call('failFeed', input),
    refreshes(source, { after, limit }) {
      const rows = refreshes.all(source, decodeId(after) ?? Number.MAX_SAFE_INTEGER, limit + 1) as Refresh[];
      return Promise.resolve(toPage(rows, limit, ({ id }) => [id], refreshOf));
    },
    bodies: () => Promise.resolve(bodies.all() as string[]),
    forget: (source) => forgetFeed(writer, source),
  };
}

/** `snapshots` are those of all sources, the newest first. */
function feedOf(row: Feed, snapshots: readonly Snapshot[]): FeedRow {
  const { source, state, reason, failures } = row;
  const serving = snapshots.find(({ id }) => id === row.snapshot);
  const waits = (one: Snapshot) => one.source === source && one.state === 'quarantined';
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

function serviceOf(row: Snapshot): FeedRow['service'] {
  const { id, manner, listing, counts } = row;
  const said = JSON.parse(counts) as GuideCounts;
  return { snapshot: id, body: bodyOf(row), manner: manner ?? '', listing, counts: said };
}

function waitingOf(row: Snapshot): FeedRow['waiting'] {
  const { id, created_at, reason, counts } = row;
  const said = JSON.parse(counts) as GuideCounts;
  return { snapshot: id, since: created_at, reason: reason ?? '', body: bodyOf(row), counts: said };
}

function bodyOf({ body, body_hash, etag, last_modified }: Snapshot): BodyRef {
  return { file: body, hash: body_hash, etag, lastModified: last_modified };
}

function refreshOf(row: Refresh): FeedRefresh {
  const { id, source, cause, outcome, reason, snapshot } = row;
  const counts = JSON.parse(row.counts) as Partial<GuideCounts>;
  return { id, source, cause, startedAt: row.started_at, endedAt: row.ended_at, outcome, reason, snapshot, counts };
}
