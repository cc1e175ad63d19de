import type Database from 'better-sqlite3';
import { now } from '../lib/clock.js';
import { linkKey } from '../model/guide.js';
import type { Connection } from './connection.js';
import type { Matches, NewAutoLink } from './guide-house.js';
import { unranked } from './guide-link-row.js';
import { nextGeneration } from './journal.js';
import { statement } from './statements.js';

/** Links that were found again are noted once in so many seconds: not a hundred thousand rows with each run. */
const verifiedEvery = 24 * 3600;

/** What the matcher writes. No entry of the change log: nobody did it. */
export const guideLinkWrites = {
  writeMatches({ raw }: Connection, matches: Matches): boolean {
    const run = raw.transaction(() => {
      const time = now();
      const steps = [
        ...matches.drop.map((id) => drop(raw, id)),
        ...matches.relink.map((link) => relink(raw, link, time)),
        ...matches.auto.map((link) => put(raw, link, time)),
      ];
      for (const { id, names } of matches.seen ?? []) see(raw, id, names, time);
      for (const { channel, why, candidates } of matches.review) {
        putReview(raw, channel, why, JSON.stringify(candidates), time);
      }
      for (const channel of matches.clear) statement(raw, 'DELETE FROM guide_review WHERE channel = ?').run(channel);
      const isChanged = steps.includes(true);
      if (isChanged) nextGeneration(raw);
      return isChanged;
    });
    return run.immediate();
  },
};

function drop(raw: Database.Database, id: number): boolean {
  return statement(raw, "DELETE FROM guide_link WHERE id = ? AND origin = 'auto' AND locked = 0").run(id).changes > 0;
}

/** Another id of the same guide channel. Where the channel is linked to that one as well, the automatic one of the two goes. */
function relink(raw: Database.Database, link: Matches['relink'][number], time: number): boolean {
  const { id, guideId, names, reasons } = link;
  const set = statement(
    raw,
    `UPDATE OR IGNORE guide_link SET guide_id = ?, guide_key = ?, names = coalesce(?, names),
      reasons = coalesce(?, reasons), verified_at = ?
    WHERE id = ? AND guide_id <> ?`,
  );
  const text = (list: readonly string[] | undefined) => (list === undefined ? null : JSON.stringify(list));
  const { changes } = set.run(guideId, linkKey(guideId), text(names), text(reasons), time, id, guideId);
  if (changes > 0) return true;
  return (
    statement(raw, "DELETE FROM guide_link WHERE id = ? AND origin = 'auto' AND guide_id <> ?").run(id, guideId)
      .changes > 0
  );
}

/** Of each guide source one link, and what a user said or linked goes before. */
const mayLink = `SELECT 1 FROM channel c JOIN guide_source s ON s.id = :source AND s.removed = 0
  WHERE c.id = :channel AND c.merged_into IS NULL
    AND NOT EXISTS (SELECT 1 FROM guide_choice WHERE channel = c.id AND mode <> 'auto')
    AND NOT EXISTS (SELECT 1 FROM guide_link WHERE channel = c.id AND guide_source = s.id AND (origin = 'user' OR locked = 1))
    AND NOT EXISTS (SELECT 1 FROM guide_rejection WHERE channel = c.id AND guide_source = s.id AND guide_key = :key)`;

/** True when the channel has another link now; another score of the same is written, and no other link. */
function put(raw: Database.Database, link: NewAutoLink, time: number): boolean {
  const { channel, guideSource: source, guideId } = link;
  const key = linkKey(guideId);
  if (statement(raw, mayLink).get({ channel, source, key }) === undefined) return false;
  const others = 'DELETE FROM guide_link WHERE channel = ? AND guide_source = ? AND guide_key <> ?';
  const { changes } = statement(raw, others).run(channel, source, key);
  const known = statement(
    raw,
    'SELECT guide_id FROM guide_link WHERE channel = ? AND guide_source = ? AND guide_key = ?',
  );
  const before = known.get(channel, source, key) as { guide_id: string } | undefined;
  const upsert = statement(
    raw,
    `INSERT INTO guide_link
      (channel, guide_source, guide_id, guide_key, rank, origin, locked, score, reasons, names, verified_at)
    VALUES (:channel, :source, :guideId, :key, ${unranked}, 'auto', 0, :score, :reasons, :names, :time)
    ON CONFLICT (channel, guide_source, guide_key) DO UPDATE SET guide_id = excluded.guide_id, score = excluded.score,
      reasons = excluded.reasons, names = excluded.names, verified_at = excluded.verified_at
    WHERE guide_id <> excluded.guide_id OR score IS NOT excluded.score OR reasons <> excluded.reasons
      OR names <> excluded.names OR verified_at < excluded.verified_at - ${verifiedEvery}`,
  );
  const [reasons, names] = [JSON.stringify(link.reasons), JSON.stringify(link.names)];
  upsert.run({ channel, source, guideId, key, score: link.score, reasons, names, time });
  return changes > 0 || before?.guide_id !== guideId;
}

function see(raw: Database.Database, id: number, names: readonly string[], time: number): void {
  const set = statement(
    raw,
    `UPDATE guide_link SET names = :names, verified_at = :time
    WHERE id = :id AND (names <> :names OR verified_at < :time - ${verifiedEvery})`,
  );
  set.run({ id, names: JSON.stringify(names), time });
}

/** Since when stays, as long as there is something to review. */
function putReview(raw: Database.Database, channel: number, why: string, candidates: string, time: number): void {
  const upsert = statement(
    raw,
    `INSERT INTO guide_review (channel, why, candidates, since)
    SELECT :channel, :why, :candidates, :time FROM channel c
    WHERE c.id = :channel AND c.merged_into IS NULL
      AND NOT EXISTS (SELECT 1 FROM guide_choice WHERE channel = c.id AND mode <> 'auto')
    ON CONFLICT (channel) DO UPDATE SET why = excluded.why, candidates = excluded.candidates
    WHERE why <> excluded.why OR candidates <> excluded.candidates`,
  );
  upsert.run({ channel, why, candidates, time });
}
