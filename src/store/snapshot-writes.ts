import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { now } from '../lib/clock.js';
import type { Changes, EntryChange, RefreshCause } from '../model/refresh.js';
import type { Connection } from './connection.js';
import { dropPage } from './drop.js';
import type { ListedColumns } from './listing-writes.js';
import { nextGeneration, stateUnlessRemoved } from './source-writes.js';
import { stagePage } from './stage.js';

/** Since when an entry is missing from its list. */
export type Missing = {
  /** Epoch seconds. */
  readonly since: number;
  /** The source's count of refreshes when it was missed first. */
  readonly refresh: number;
  /** Whether it has been missing for so long that it left the playlist. */
  readonly left: boolean;
};

/** `pageSize` entries of a new snapshot, fewer on its last page. */
export type StagedPage = {
  readonly source: number;
  readonly snapshot: number;
  readonly page: number;
  /** What is said of them (`formatSaid`). */
  readonly said: string;
  /** By position: the entry that it continues, or null for a new one. */
  readonly entries: readonly (number | null)[];
  /** By position: what is shown of it as long as nobody edits it; null when it is no channel. */
  readonly listed: readonly (ListedColumns | null)[];
  /** Of those that are missing, by position on the page. */
  readonly missing: ReadonlyMap<number, Missing>;
};

export type SnapshotSummary = {
  /** Entries present, and those of them that are channels. */
  readonly entries: number;
  readonly channels: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, number>>;
  readonly problems: Readonly<Record<string, number>>;
  readonly header: readonly (readonly [string, string])[];
  readonly changes: Changes;
};

/** A body as it was fetched. */
export type StoredBody = {
  /** Compressed. */
  readonly body: Uint8Array | null;
  readonly hash: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

type Publication = {
  readonly source: number;
  readonly snapshot: number;
  readonly summary: SnapshotSummary;
  readonly stored: StoredBody;
  readonly cause: RefreshCause;
  readonly startedAt: number;
  /** How many changes were listed. */
  readonly listed: number;
};

/** Bodies out of service that are kept, to go back to. */
const keptBodies = 5;
/** Refreshes of a source that are remembered. */
const keptRefreshes = 50;

export const snapshotWrites = {
  async beginSnapshot({ db }: Connection, input: { source: number; catchup?: string | null }) {
    const row = { source: input.source, created_at: now(), catchup: input.catchup ?? null };
    return (await db.insertInto('snapshot').values(row).returning('id').executeTakeFirstOrThrow()).id;
  },

  /** Adds a page to a snapshot that is not in service yet. New entries get their channels here, unseen until then. */
  stageEntries({ raw }: Connection, input: StagedPage) {
    return raw.transaction(() => stagePage(raw, input)).immediate();
  },

  /** Adds a chunk of what the snapshot changes. `entry` null of an added one is the entry at its position. */
  stageChanges({ raw }: Connection, input: { snapshot: number; first: number; changes: readonly EntryChange[] }) {
    const insert = raw.prepare('INSERT INTO refresh_change VALUES (?, ?, ?, ?, ?, ?, ?)');
    const all = raw.transaction(() => {
      for (const [index, { kind, entry, name, fields, reason }] of input.changes.entries()) {
        insert.run(input.snapshot, input.first + index, kind, entry, name, JSON.stringify(fields), reason);
      }
    });
    all.immediate();
  },

  /** Puts a snapshot in service in place of its source's last one. */
  async publishSnapshot({ db }: Connection, input: Publication) {
    const { summary, stored, source, snapshot, cause } = input;
    const { entries, channels, changes } = summary;
    const time = now();
    await db.transaction().execute(async (trx) => {
      const counts = {
        skipped: JSON.stringify(summary.skipped),
        kinds: JSON.stringify(summary.kinds),
        problems: JSON.stringify(summary.problems),
      };
      const body = { body_hash: stored.hash, etag: stored.etag, last_modified: stored.lastModified };
      const kept = { ...body, body: stored.body === null ? null : Buffer.from(stored.body) };
      const filled = { ...kept, ...counts, header: JSON.stringify(summary.header), entries, channels };
      await trx
        .updateTable('snapshot')
        .set({ ...filled, state: 'published', published_at: time })
        .where('id', '=', snapshot)
        .execute();
      const state = { state: stateUnlessRemoved('published'), reason: null, failures: 0 };
      const times = { refreshed_at: time, published_at: time, refreshes: sql<number>`refreshes + 1` };
      // Rules say nothing of how the last refresh went.
      const news = cause === 'rules' ? {} : { ...body, ...state, ...times };
      await trx
        .updateTable('source')
        .set({ ...news, snapshot })
        .where('id', '=', source)
        .execute();
      const refresh = {
        source,
        cause,
        started_at: input.startedAt,
        ended_at: time,
        outcome: 'published' as const,
        snapshot,
      };
      await trx
        .insertInto('refresh')
        .values({ ...refresh, counts: JSON.stringify(changes), listed: input.listed })
        .execute();
      await trx.updateTable('catalogue').set(nextGeneration).execute();
    });
  },

  /** Keeps a body that was not trusted, so that it can be looked at and accepted. Of each source the newest one is kept. */
  async quarantineBody({ db }: Connection, input: Quarantine) {
    const { source, reason, stored, entries } = input;
    const time = now();
    return await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('source')
        .set({ state: stateUnlessRemoved('quarantined'), reason, failures: 0 })
        .where('id', '=', source)
        .execute();
      const quarantined = trx.selectFrom('snapshot').select('id').where('source', '=', source);
      const same = quarantined.where('state', '=', 'quarantined').where('body_hash', '=', stored.hash);
      const known = await same.executeTakeFirst();
      if (known !== undefined) return known.id;
      await trx.deleteFrom('snapshot').where('source', '=', source).where('state', '=', 'quarantined').execute();
      const body = {
        body: stored.body === null ? null : Buffer.from(stored.body),
        body_hash: stored.hash,
        etag: stored.etag,
        last_modified: stored.lastModified,
      };
      const row = { source, created_at: time, state: 'quarantined' as const, reason, entries, ...body };
      const { id } = await trx.insertInto('snapshot').values(row).returning('id').executeTakeFirstOrThrow();
      const refresh = { source, cause: input.cause, started_at: input.startedAt, ended_at: time, reason, snapshot: id };
      await trx
        .insertInto('refresh')
        .values({ ...refresh, outcome: 'quarantined', counts: JSON.stringify(input.changes) })
        .execute();
      return id;
    });
  },

  /** Removes a page of a snapshot that is out of service, with those of its entries that no other snapshot has. */
  dropPage({ raw }: Connection, input: { snapshot: number; page: number; unused: readonly number[] }) {
    raw.transaction(() => dropPage(raw, input.snapshot, input.page, input.unused)).immediate();
  },

  /** Removes a part of the bodies, refreshes and changes that are not kept. True while there is more to remove. */
  pruneSnapshots({ raw }: Connection, _input: null) {
    const isMore = raw.transaction(() => dropOldBodies(raw)).immediate();
    // What a big import kept in memory is of no use to the edits that follow.
    if (!isMore) raw.pragma('shrink_memory');
    return isMore;
  },
};

type Quarantine = {
  readonly source: number;
  readonly reason: string;
  readonly stored: StoredBody;
  readonly entries: number;
  readonly changes: Partial<Changes>;
  readonly cause: RefreshCause;
  readonly startedAt: number;
};

function dropOldBodies(raw: Database.Database): boolean {
  // What was broken off, once its pages are removed.
  raw.exec("DELETE FROM snapshot WHERE state = 'staged' AND id NOT IN (SELECT snapshot FROM snapshot_page)");
  // The same body again, as after each change of rules, is nothing to go back to.
  const same = raw.prepare(`DELETE FROM snapshot WHERE state = 'published' AND EXISTS (SELECT 1 FROM snapshot n
      WHERE n.source = snapshot.source AND n.body_hash = snapshot.body_hash AND n.state = 'published' AND n.id > snapshot.id)
    AND id NOT IN (SELECT snapshot FROM source WHERE snapshot IS NOT NULL)`);
  same.run();
  const old = raw.prepare(`DELETE FROM snapshot WHERE id IN (SELECT id FROM (
      SELECT n.id, row_number() OVER (PARTITION BY n.source ORDER BY n.published_at DESC, n.id DESC) AS age
      FROM snapshot n JOIN source s ON s.id = n.source WHERE n.state = 'published' AND n.id IS NOT s.snapshot)
    WHERE age > ?)`);
  old.run(keptBodies);
  const refreshes = raw.prepare(`DELETE FROM refresh WHERE id IN (SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY source ORDER BY id DESC) AS age FROM refresh) WHERE age > ?)`);
  refreshes.run(keptRefreshes);
  const changes = raw.prepare(`DELETE FROM refresh_change WHERE (snapshot, position) IN (
      SELECT snapshot, position FROM refresh_change WHERE snapshot NOT IN (SELECT snapshot FROM refresh WHERE snapshot IS NOT NULL) LIMIT 2000)`);
  return changes.run().changes > 0;
}
