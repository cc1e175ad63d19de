import type Database from 'better-sqlite3';
import { now } from '../../lib/clock.js';
import { WeirError } from '../../lib/errors.js';
import type { GuideCounts } from '../../model/guide.js';
import { statement } from '../statements.js';
import type { FeedState, GuideCause } from './contract.js';
import { assertStaged } from './stage-writes.js';

type Ended = { readonly source: number; readonly cause: GuideCause; readonly startedAt: number };
type Published = Ended & {
  readonly snapshot: number;
  readonly counts: GuideCounts;
  readonly kept: readonly number[];
  readonly manner: string;
};
type Quarantined = Ended & { readonly snapshot: number; readonly reason: string; readonly counts: GuideCounts };
type Confirmed = {
  readonly source: number;
  readonly validators: { readonly etag: string | null; readonly lastModified: string | null } | null;
};

/** How guide sources stand. Each is one transaction. */
export const feedWrites = {
  setFeedState(raw: Database.Database, input: { source: number; state: FeedState; reason: string | null }): void {
    const { source, state, reason } = input;
    const set = `INSERT INTO feed (source, state, reason) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET state = excluded.state, reason = excluded.reason`;
    statement(raw, set).run(source, state, reason);
  },

  planFeed(raw: Database.Database, { source, at }: { source: number; at: number | null }): void {
    const set = `INSERT INTO feed (source, next_refresh_at) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET next_refresh_at = excluded.next_refresh_at`;
    statement(raw, set).run(source, at);
  },

  publishGuide(raw: Database.Database, input: Published): void {
    const { source, snapshot, counts, kept, manner } = input;
    const run = () => {
      if (assertStaged(raw, snapshot) !== source)
        throw new WeirError('conflict', `Snapshot ${snapshot} is not of guide source ${source}.`);
      const publish = "UPDATE snapshot SET state = 'published', counts = ?, manner = ? WHERE id = ?";
      statement(raw, publish).run(JSON.stringify(counts), manner, snapshot);
      const serve = `UPDATE feed SET state = 'published', reason = NULL, snapshot = ?, failures = 0, refreshed_at = ?,
        published_at = ? WHERE source = ?`;
      statement(raw, serve).run(snapshot, now(), now(), source);
      const keep = 'UPDATE guide_channel SET kept = 1 WHERE kept = 0 AND id IN (SELECT value FROM json_each(?))';
      statement(raw, keep).run(JSON.stringify(kept));
      addRefresh(raw, { ...input, outcome: 'published', reason: null });
      nextGuideGeneration(raw);
    };
    raw.transaction(run).immediate();
  },

  /** For a snapshot that was undone already: what is left of it is its body. */
  quarantineGuide(raw: Database.Database, input: Quarantined): void {
    const { source, snapshot, counts, reason } = input;
    const run = () => {
      assertStaged(raw, snapshot);
      const keep = "UPDATE snapshot SET state = 'quarantined', reason = ?, counts = ? WHERE id = ?";
      statement(raw, keep).run(reason, JSON.stringify(counts), snapshot);
      const set = "UPDATE feed SET state = 'quarantined', reason = ?, refreshed_at = ? WHERE source = ?";
      statement(raw, set).run(reason, now(), source);
      addRefresh(raw, { ...input, outcome: 'quarantined' });
    };
    raw.transaction(run).immediate();
  },

  confirmFeed(raw: Database.Database, { source, validators }: Confirmed): void {
    const run = () => {
      const set = `UPDATE feed SET state = 'published', reason = NULL, failures = 0, refreshed_at = ? WHERE source = ?`;
      statement(raw, set).run(now(), source);
      statement(raw, "DELETE FROM snapshot WHERE source = ? AND state = 'quarantined'").run(source);
      if (validators === null) return;
      const renew = `UPDATE snapshot SET etag = ?, last_modified = ?
        WHERE id = (SELECT snapshot FROM feed WHERE source = ?)`;
      statement(raw, renew).run(validators.etag, validators.lastModified, source);
    };
    raw.transaction(run).immediate();
  },

  failFeed(raw: Database.Database, input: Ended & { readonly reason: string }): number {
    const run = () => {
      const set = `INSERT INTO feed (source, state, reason, failures, refreshed_at) VALUES (?, 'failed', ?, 1, ?)
        ON CONFLICT DO UPDATE SET state = 'failed', reason = excluded.reason, failures = failures + 1,
        refreshed_at = excluded.refreshed_at RETURNING failures`;
      const { failures } = statement(raw, set).get(input.source, input.reason, now()) as { failures: number };
      addRefresh(raw, { ...input, outcome: 'failed', snapshot: null, counts: {} });
      return failures;
    };
    return raw.transaction(run).immediate();
  },

  /** What was under way when weir ended is not any more. */
  settleFeeds(raw: Database.Database, _input: null): void {
    const settle = `UPDATE feed SET state = iif(snapshot IS NULL, 'idle', 'published'), reason = NULL
      WHERE state IN ('fetching', 'validating', 'staging')`;
    statement(raw, settle).run();
  },
};

export function nextGuideGeneration(raw: Database.Database): void {
  statement(raw, 'UPDATE guide SET generation = generation + 1').run();
}

type Outcome = Ended & {
  readonly outcome: 'published' | 'quarantined' | 'failed';
  readonly reason: string | null;
  readonly snapshot: number | null;
  readonly counts: Partial<GuideCounts>;
};

function addRefresh(raw: Database.Database, refresh: Outcome): void {
  const { source, cause, startedAt, outcome, reason, snapshot, counts } = refresh;
  const add = `INSERT INTO feed_refresh (source, cause, started_at, ended_at, outcome, reason, snapshot, counts)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
  statement(raw, add).run(source, cause, startedAt, now(), outcome, reason, snapshot, JSON.stringify(counts));
}
