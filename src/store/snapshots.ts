import type { Selectable } from 'kysely';
import type { Connection } from './connection.js';
import type { StagedEntry } from './snapshot-writes.js';
import type { Tables } from './tables.js';
import type { Writer } from './writer.js';
import type { Input } from './writes.js';

export type SnapshotRow = Selectable<Tables['snapshot_entry']>;

export interface Snapshots {
  /** Every entry of the snapshot in service, missing ones too, in order; empty before the first. */
  inService(source: number): Promise<SnapshotRow[]>;
  /** Starts a snapshot that nobody sees yet; resolves with its id. */
  begin(source: number): Promise<number>;
  stage(source: number, snapshot: number, rows: readonly StagedEntry[]): Promise<void>;
  /** Puts a snapshot in service at once. */
  publish(publication: Input<'publishSnapshot'>): Promise<void>;
  /** Removes snapshots out of service, published before or left by a crash. */
  prune(): Promise<void>;
}

export function createSnapshots({ db }: Connection, writer: Writer): Snapshots {
  return {
    async inService(source) {
      const rows = db.selectFrom('snapshot_entry as e').innerJoin('source as s', 's.snapshot', 'e.snapshot');
      return await rows.selectAll('e').where('s.id', '=', source).orderBy('e.position').execute();
    },
    begin: (source) => writer.call('beginSnapshot', { source }),
    stage: (source, snapshot, rows) => writer.call('stageEntries', { source, snapshot, rows }),
    publish: (publication) => writer.call('publishSnapshot', publication),
    async prune() {
      while (await writer.call('pruneSnapshots', null));
    },
  };
}
