import type Database from 'better-sqlite3';
import type { MatchCandidate } from '../model/guide-match.js';
import type { Connection } from './connection.js';
import type { GuideHouse, ReviewItem } from './guide-house.js';
import { decodeId, toPage } from './paging.js';

type Row = { channel: number; name: string | null; why: ReviewItem['why']; candidates: string; since: number };

/** What the matcher is not sure of. It is no user's and in no change: each run makes it anew. */
export function createGuideReview({ raw }: Connection): Pick<GuideHouse, 'review' | 'reviewOf'> {
  const rows = `SELECT r.*, (SELECT name FROM shown_channel WHERE id = r.channel) AS name FROM guide_review r
    JOIN channel c ON c.id = r.channel AND c.merged_into IS NULL`;
  return {
    review({ after, limit }) {
      const next = raw.prepare(`${rows} WHERE r.channel > ? ORDER BY r.channel LIMIT ?`);
      const found = next.all(decodeId(after) ?? 0, limit + 1) as Row[];
      return Promise.resolve(toPage(found, limit, ({ channel }) => [channel], toItem));
    },
    reviewOf(channel) {
      const row = raw.prepare(`${rows} WHERE r.channel = ?`).get(channel) as Row | undefined;
      return Promise.resolve(row === undefined ? null : toItem(row));
    },
  };
}

function toItem({ name, candidates, ...row }: Row): ReviewItem {
  return { ...row, name: name ?? '', candidates: JSON.parse(candidates) as MatchCandidate[] };
}

/** Null when nothing of the channel is to be reviewed. */
export function storedCandidates(raw: Database.Database, channel: number): MatchCandidate[] | null {
  const text = raw.prepare('SELECT candidates FROM guide_review WHERE channel = ?').pluck().get(channel);
  return typeof text === 'string' ? (JSON.parse(text) as MatchCandidate[]) : null;
}

/** Takes what is settled out of a channel's review. For the inside of a transaction. */
export function dropCandidates(
  raw: Database.Database,
  channel: number,
  isSettled: (candidate: MatchCandidate) => boolean,
): void {
  const left = storedCandidates(raw, channel)?.filter((candidate) => !isSettled(candidate));
  if (left === undefined) return;
  if (left.length === 0) raw.prepare('DELETE FROM guide_review WHERE channel = ?').run(channel);
  else raw.prepare('UPDATE guide_review SET candidates = ? WHERE channel = ?').run(JSON.stringify(left), channel);
}
