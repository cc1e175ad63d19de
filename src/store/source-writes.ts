import { sql } from 'kysely';
import { now } from '../lib/clock.js';
import { type GivenSource, type SourceState, sourceKind } from '../model/source.js';
import type { Connection } from './connection.js';

/** Missing entries and sources stay in the playlist for this long at least, in seconds. */
const grace = 24 * 3600;
/** And missing entries for this many refreshes at least. */
const graceRefreshes = 3;

export const sourceWrites = {
  /**
   * Says which sources flags and configuration give, in order, and how they are received. Others become missing; what a crash left in the middle
   * of a refresh is set back. Resolves with the ids, in the same order.
   */
  async giveSources({ db }: Connection, input: { sources: readonly GivenSource[] }) {
    return await db.transaction().execute(async (trx) => {
      const ids: number[] = [];
      for (const [position, { location, ...network }] of input.sources.entries()) {
        const given = { position, given: 1, listed: 1, missing_since: null, ...network };
        const insert = trx.insertInto('source').values({ kind: sourceKind(location), location, ...given });
        const upsert = insert.onConflict((conflict) => conflict.column('location').doUpdateSet(given));
        ids.push((await upsert.returning('id').executeTakeFirstOrThrow()).id);
      }
      const restored = sql<SourceState>`CASE WHEN snapshot IS NULL THEN 'idle' ELSE 'published' END`;
      const given = trx.updateTable('source').set({ state: restored, reason: null }).where('given', '=', 1);
      await given.where('state', 'in', ['fetching', 'validating', 'staging', 'missing']).execute();
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
    const { id, ...state } = input;
    await db.updateTable('source').set(state).where('id', '=', id).execute();
  },
  /** The list is exactly the one in service. */
  async confirmSource({ db }: Connection, input: { id: number }) {
    const confirmed = { state: 'published' as const, reason: null, refreshed_at: now() };
    const counted = sql<number>`refreshes + 1`;
    await db
      .updateTable('source')
      .set({ ...confirmed, refreshes: counted })
      .where('id', '=', input.id)
      .execute();
  },
  /** Takes entries and sources that have been missing for too long out of the playlist. True when there were any. */
  expireMissing({ raw }: Connection, _input: null) {
    const oldest = now() - grace;
    const expire = raw.transaction(() => {
      const entries =
        raw.prepare(`UPDATE snapshot_entry AS e INDEXED BY snapshot_entry_missing SET state = 'left' FROM source AS s
        WHERE s.snapshot = e.snapshot AND e.state = 'missing' AND e.missing_since <= ?
          AND s.refreshes - e.missing_refresh >= ?`);
      const sources = raw.prepare('UPDATE source SET listed = 0 WHERE listed = 1 AND given = 0 AND missing_since <= ?');
      const expired = entries.run(oldest, graceRefreshes).changes + sources.run(oldest).changes > 0;
      if (expired) raw.exec('UPDATE catalogue SET generation = generation + 1');
      return expired;
    });
    return expire.immediate();
  },
};

export const nextGeneration = { generation: sql<number>`generation + 1` };
