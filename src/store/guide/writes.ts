import type Database from 'better-sqlite3';
import { feedWrites } from './feed-writes.js';
import { pruneWrites } from './prune-writes.js';
import { stageWrites } from './stage-writes.js';
import { undoWrites } from './undo-writes.js';

/** Everything that can be written to `guide.db`. Runs in its writer thread only, one at a time. */
export const guideWrites = { ...stageWrites, ...undoWrites, ...feedWrites, ...pruneWrites, flush };

export type GuideWrites = typeof guideWrites;

/** Writes nothing: its answer says that everything asked before through the same port is written. */
function flush(_raw: Database.Database, _input: null): true {
  return true;
}
