import type Database from 'better-sqlite3';
import { statement } from '../statements.js';
import { dropAirings, inChunk, leaveSweep, startSweep } from './drop.js';
import { nextGuideGeneration } from './feed-writes.js';
import { isStaging } from './undo-writes.js';

/** Rows of a step: some of them make a chunk. */
const step = 500;
const titlesAtOnce = 4000;
/** Refreshes of a source that are remembered. */
const keptRefreshes = 50;
/** Pages given back to the system in a chunk. */
const freedPages = 250;
/** Seconds that a programme counts for whose stop is not said. */
const unsaidLength = 24 * 3600;

/** A guide channel, and the instant before which what ended goes; null drops all of it. */
export type Keeping = { readonly channel: number; readonly before: number | null };

/** A title's folded form and id: before all, and behind all. */
export type TitlePlace = readonly [folded: string, id: number];
export const firstTitle: TitlePlace = ['', -1];
const lastTitle: TitlePlace = ['\u{10ffff}', Number.MAX_SAFE_INTEGER];
const behind = '(folded, id) > (?, ?)';

/** Removes what nobody asks for any more. Nothing while a pass is under way: it may count on what it read. */
export const pruneWrites = {
  /** Deletes old programmes of some channels. Resolves with how many of these are done; null when a pass is under way. */
  pruneChannels(raw: Database.Database, keeping: readonly Keeping[]): number | null {
    let done = 0;
    let isStopped = false;
    inChunk(raw, () => {
      const next = keeping[done];
      isStopped = isStaging(raw);
      if (next === undefined || isStopped) return false;
      if (pruneChannel(raw, next)) done += 1;
      return done < keeping.length;
    });
    return isStopped ? null : done;
  },

  /** Deletes titles that no text has, of those behind a place. Resolves with the place to go on behind; null at the end. */
  dropUnusedTitles(raw: Database.Database, after: TitlePlace): TitlePlace | null {
    const run = () => {
      if (isStaging(raw)) return leaveSweep(raw);
      if (after[1] === firstTitle[1] && !startSweep(raw)) return null;
      const end = statement(raw, `SELECT folded, id FROM title WHERE ${behind} ORDER BY folded, id LIMIT 1 OFFSET ?`);
      const last = end.get(after, titlesAtOnce - 1) as { folded: string; id: number } | undefined;
      const until: TitlePlace = last === undefined ? lastTitle : [last.folded, last.id];
      const remove = `DELETE FROM title WHERE ${behind} AND (folded, id) <= (?, ?)
        AND NOT EXISTS (SELECT 1 FROM title_text t WHERE t.title = title.id)`;
      statement(raw, remove).run(after, until);
      return last === undefined ? null : until;
    };
    return raw.transaction(run).immediate();
  },

  /** Deletes snapshots and lists of channels that are out of service, and old refreshes. True while there are more. */
  pruneSnapshots(raw: Database.Database, _input: null): boolean {
    const run = () => {
      if (isStaging(raw)) return false;
      const old = `DELETE FROM snapshot WHERE id NOT IN (SELECT snapshot FROM feed WHERE snapshot IS NOT NULL)
        AND (state <> 'quarantined' OR id < (SELECT max(id) FROM snapshot n WHERE n.source = snapshot.source AND n.state <> 'staged'))`;
      statement(raw, old).run();
      const refreshes = `DELETE FROM feed_refresh WHERE id IN (SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY source ORDER BY id DESC) AS age FROM feed_refresh) WHERE age > ?)`;
      statement(raw, refreshes).run(keptRefreshes);
      return dropListing(raw);
    };
    return raw.transaction(run).immediate();
  },

  /** Gives free pages back to the system. True while there are more. */
  shrinkGuide(raw: Database.Database, _input: null): boolean {
    const free = () => Number(raw.pragma('freelist_count', { simple: true }));
    const before = free();
    if (before === 0) return false;
    raw.pragma(`incremental_vacuum(${freedPages})`);
    return free() > 0 && free() < before;
  },

  /** Moves the log into the file and lets go of its length and of memory, unless somebody reads. */
  restGuide(raw: Database.Database, _input: null): void {
    const patience = Number(raw.pragma('busy_timeout', { simple: true }));
    raw.pragma('busy_timeout = 0');
    raw.pragma('wal_checkpoint(TRUNCATE)');
    raw.pragma(`busy_timeout = ${patience}`);
    raw.pragma('shrink_memory');
  },

  /** What is shown of a source goes at once. */
  forgetFeed(raw: Database.Database, source: number): void {
    const run = () => {
      const { changes } = statement(raw, 'DELETE FROM feed WHERE source = ?').run(source);
      statement(raw, 'DELETE FROM feed_refresh WHERE source = ?').run(source);
      statement(raw, "DELETE FROM snapshot WHERE source = ? AND state <> 'staged'").run(source);
      if (changes > 0) nextGuideGeneration(raw);
    };
    raw.transaction(run).immediate();
  },

  /** Deletes a part of what sources had that were forgotten. True while there is more. */
  dropForgotten(raw: Database.Database, _input: null): boolean {
    return inChunk(raw, () => {
      const source = forgotten(raw);
      const next = statement(raw, 'SELECT id FROM guide_channel WHERE source = ? LIMIT 1');
      const channel = next.get(source) as { id: number } | undefined;
      if (channel === undefined) return false;
      if (dropAirings(raw, 'channel = ?', [channel.id], step) < step)
        statement(raw, 'DELETE FROM guide_channel WHERE id = ?').run(channel.id);
      return true;
    });
  },
};

/** True when there is no more to delete of it. */
function pruneChannel(raw: Database.Database, { channel, before }: Keeping): boolean {
  if (before === null) {
    if (dropAirings(raw, 'channel = ?', [channel], step) === step) return false;
    statement(raw, 'UPDATE guide_channel SET kept = 0 WHERE id = ?').run(channel);
    return true;
  }
  const ended = `channel = ? AND start < ? AND iif(stop = 0, start + ${unsaidLength}, stop) < ?`;
  return dropAirings(raw, ended, [channel, before, before], step) < step;
}

/** A source that has guide channels and is not known any more; null when there is none. */
function forgotten(raw: Database.Database): number | null {
  const next = statement(raw, 'SELECT min(source) AS source FROM guide_channel WHERE source > ?');
  const isKnown = statement(raw, 'SELECT 1 FROM feed WHERE source = ?');
  let { source } = next.get(-1) as { source: number | null };
  while (source !== null && isKnown.get(source) !== undefined)
    source = (next.get(source) as { source: number | null }).source;
  return source;
}

/** Of a snapshot that is not there any more and that none continues. */
function dropListing(raw: Database.Database): boolean {
  const next = statement(raw, 'SELECT min(snapshot) AS snapshot FROM listed_channel WHERE snapshot > ?');
  const isUsed = statement(raw, 'SELECT 1 FROM snapshot WHERE listing = ?');
  let { snapshot } = next.get(-1) as { snapshot: number | null };
  while (snapshot !== null && isUsed.get(snapshot) !== undefined)
    snapshot = (next.get(snapshot) as { snapshot: number | null }).snapshot;
  if (snapshot === null) return false;
  const remove = `DELETE FROM listed_channel WHERE snapshot = ? AND channel IN
    (SELECT channel FROM listed_channel WHERE snapshot = ? ORDER BY channel LIMIT ?)`;
  statement(raw, remove).run(snapshot, snapshot, step * 4);
  return true;
}
