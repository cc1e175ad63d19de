import { sql } from 'kysely';
import { now } from '../lib/clock.js';
import type { RefreshCause } from '../model/refresh.js';
import { type GivenSource, type SourceState, sourceKind } from '../model/source.js';
import type { Connection } from './connection.js';
import { pageOf } from './pages.js';
import { settingsRow } from './source-row.js';

/** Missing entries and sources stay in the playlist for this long at least, in seconds. */
const grace = 24 * 3600;
/** Where a refresh that was broken off has begun. */
const restored = sql<SourceState>`CASE WHEN snapshot IS NULL THEN 'idle' ELSE 'published' END`;
/** And missing entries for this many refreshes at least. */
const graceRefreshes = 3;

/**
 * The state that a source comes into: one that was removed while it was refreshed stays removed. Whether it has a list then
 * is told by its snapshot when it comes back.
 */
export function stateUnlessRemoved(state: SourceState) {
  return sql<SourceState>`iif(state = 'removed', 'removed', ${state})`;
}

export const sourceWrites = {
  /**
   * Says which sources flags and configuration give, in order, and how they are received. Those given before and not now
   * become missing; what a crash left in the middle of a refresh is set back. Resolves with the ids, in the same order.
   */
  async giveSources({ db }: Connection, input: { sources: readonly GivenSource[] }) {
    return await db.transaction().execute(async (trx) => {
      const ids: number[] = [];
      for (const [position, source] of input.sources.entries()) {
        const { location, interface: name, membership_refresh: refresh } = source;
        const network = { interface: name, membership_refresh: refresh };
        const given = {
          position,
          given: 1,
          listed: 1,
          enabled: 1,
          missing_since: null,
          ...network,
          ...settingsRow(source),
        };
        const insert = trx.insertInto('source').values({ kind: sourceKind(location), location, ...given });
        const upsert = insert.onConflict((conflict) => conflict.column('location').doUpdateSet(given));
        ids.push((await upsert.returning('id').executeTakeFirstOrThrow()).id);
      }
      const left = trx.updateTable('source').set({ state: restored, reason: null });
      await left.where('state', 'in', ['fetching', 'validating', 'staging']).execute();
      await left.where('state', '=', 'missing').where('given', '=', 1).execute();
      const reason = 'No longer given by flag or configuration.';
      const others = trx.updateTable('source').set({ given: 0, state: 'missing', reason, missing_since: now() });
      const withdrawn = others
        .where('given', '=', 1)
        .where((e) => e.not(e('location', 'in', [...input.sources.map(({ location }) => location), ''])));
      await withdrawn.execute();
      await trx.updateTable('catalogue').set(nextGeneration).execute();
      return ids;
    });
  },
  /** Without a reason, the one that stands there stays. */
  async setSourceState({ db }: Connection, input: { id: number; state: SourceState; reason?: string }) {
    const { id, state, ...reason } = input;
    await db
      .updateTable('source')
      .set({ state: stateUnlessRemoved(state), ...reason })
      .where('id', '=', id)
      .execute();
  },
  /** Sets back the state of a source whose refresh was broken off. */
  async restSource({ db }: Connection, { id }: { id: number }) {
    const rested = db.updateTable('source').set({ state: restored, reason: null, next_refresh_at: null });
    await rested.where('id', '=', id).where('state', 'in', ['fetching', 'validating', 'staging']).execute();
  },
  /** When it is refreshed next; null when it is not. */
  async planSource({ db }: Connection, input: { id: number; nextRefreshAt: number | null }) {
    await db.updateTable('source').set({ next_refresh_at: input.nextRefreshAt }).where('id', '=', input.id).execute();
  },
  /** The list is exactly the one in service: only that it was looked at is noted. */
  async confirmSource({ db }: Connection, input: { id: number }) {
    const confirmed = { state: stateUnlessRemoved('published'), reason: null, failures: 0, refreshed_at: now() };
    const counted = sql<number>`refreshes + 1`;
    await db
      .updateTable('source')
      .set({ ...confirmed, refreshes: counted })
      .where('id', '=', input.id)
      .execute();
  },
  /** A refresh that brought nothing usable. */
  async failSource({ db }: Connection, input: { id: number; reason: string; cause: RefreshCause; startedAt: number }) {
    const { id, reason, cause, startedAt } = input;
    await db.transaction().execute(async (trx) => {
      const failures = sql<number>`failures + 1`;
      const failed = { state: stateUnlessRemoved('failed'), reason, failures };
      await trx.updateTable('source').set(failed).where('id', '=', id).execute();
      const times = { started_at: startedAt, ended_at: now() };
      await trx
        .insertInto('refresh')
        .values({ source: id, cause, ...times, outcome: 'failed', reason })
        .execute();
    });
  },
  /** Takes entries and sources that have been missing for too long out of the playlist. True when there were any. */
  expireMissing({ raw }: Connection, _input: null) {
    const oldest = now() - grace;
    const expire = raw.transaction(() => {
      const due =
        raw.prepare(`SELECT m.snapshot, m.position FROM source s JOIN missing_entry m ON m.snapshot = s.snapshot
        WHERE m.state = 'missing' AND m.since <= ? AND s.refreshes - m.refresh >= ?`);
      const rows = due.all(oldest, graceRefreshes) as { snapshot: number; position: number }[];
      const leave = ['missing_entry', 'listing'].map((table) =>
        raw.prepare(`UPDATE ${table} SET state = 'left' WHERE snapshot = ? AND position = ?`),
      );
      const touch = raw.prepare(`UPDATE channel SET version = version + 1
        WHERE id = (SELECT channel FROM listing WHERE snapshot = ? AND position = ?)`);
      const count = raw.prepare('UPDATE listing_page SET version = version + 1 WHERE snapshot = ? AND page = ?');
      for (const { snapshot, position } of rows) {
        for (const step of [...leave, touch]) step.run(snapshot, position);
        count.run(snapshot, pageOf(position));
      }
      const sources = raw.prepare('UPDATE source SET listed = 0 WHERE listed = 1 AND given = 0 AND missing_since <= ?');
      const expired = rows.length + sources.run(oldest).changes > 0;
      if (expired) raw.exec('UPDATE catalogue SET generation = generation + 1');
      return expired;
    });
    return expire.immediate();
  },
};

export const nextGeneration = { generation: sql<number>`generation + 1` };
