import type Database from 'better-sqlite3';
import { statement } from '../statements.js';
import { dropAirings, dropUnusedTexts, inChunk } from './drop.js';

/** Rows of a step: some of them make a chunk. */
const step = 500;

type Staged = { id: number; source: number; first_text: number; undone: number };

/** Takes back what was staged, and deletes what is out of service: in chunks, and where a crash cut it off it goes on. */
export const undoWrites = {
  /** Ids of snapshots that are being staged, or were when weir ended: of a source, or of all. */
  stagedSnapshots(raw: Database.Database, source: number | null): number[] {
    const find = "SELECT id FROM snapshot WHERE state = 'staged' AND source = coalesce(?, source) ORDER BY id";
    return (statement(raw, find).all(source) as { id: number }[]).map(({ id }) => id);
  },

  /** Undoes a part of a snapshot. True while there is more. */
  undoSnapshot(raw: Database.Database, snapshot: number): boolean {
    return inChunk(raw, () => undoStep(raw, snapshot));
  },

  dropStagedSnapshot(raw: Database.Database, snapshot: number): void {
    statement(raw, "DELETE FROM snapshot WHERE id = ? AND state = 'staged'").run(snapshot);
  },

  /** Deletes a part of the airings that left service. True while there are more. */
  dropRemoved(raw: Database.Database, _input: null): boolean {
    // While nothing is staged, what is marked was removed by a snapshot that is, or was, in service.
    return inChunk(raw, () => !isStaging(raw) && dropAirings(raw, 'removed IS NOT NULL', [], step) === step);
  },
};

export function isStaging(raw: Database.Database): boolean {
  return statement(raw, "SELECT 1 FROM snapshot WHERE state = 'staged'").get() !== undefined;
}

/** True while there is more. */
function undoStep(raw: Database.Database, snapshot: number): boolean {
  const find = statement(raw, "SELECT id, source, first_text, undone FROM snapshot WHERE id = ? AND state = 'staged'");
  const staged = find.get(snapshot) as Staged | undefined;
  if (staged === undefined) return false;
  return undoAirings(raw, staged) || undoTexts(raw, staged) || undoListing(raw, staged) || undoRemovals(raw, staged);
}

/** Of the next guide channel of the source that has not been gone through. */
function undoAirings(raw: Database.Database, { id, source, undone }: Staged): boolean {
  const next = statement(raw, 'SELECT id FROM guide_channel WHERE id > ? AND source = ? ORDER BY id LIMIT 1');
  const channel = next.get(undone, source) as { id: number } | undefined;
  if (channel === undefined) return false;
  if (dropAirings(raw, 'channel = ? AND added = ?', [channel.id, id], step) < step)
    statement(raw, 'UPDATE snapshot SET undone = ? WHERE id = ?').run(channel.id, id);
  return true;
}

/** Texts that came before their airings, or without any. */
function undoTexts(raw: Database.Database, { first_text }: Staged): boolean {
  const next = statement(raw, 'SELECT id FROM text WHERE id >= ? ORDER BY id LIMIT ?');
  const texts = next.all(first_text, step) as { id: number }[];
  const ids = texts.map(({ id }) => id);
  return dropUnusedTexts(raw, ids) > 0;
}

function undoListing(raw: Database.Database, { id }: Staged): boolean {
  const remove = statement(
    raw,
    `DELETE FROM listed_channel WHERE snapshot = ? AND channel IN
    (SELECT channel FROM listed_channel WHERE snapshot = ? ORDER BY channel LIMIT ?)`,
  );
  return remove.run(id, id, step).changes > 0;
}

function undoRemovals(raw: Database.Database, { id }: Staged): boolean {
  const restore = statement(
    raw,
    `UPDATE programme SET removed = NULL WHERE (channel, start, stop, hash) IN
    (SELECT channel, start, stop, hash FROM programme WHERE removed = ? LIMIT ?)`,
  );
  return restore.run(id, step).changes > 0;
}
