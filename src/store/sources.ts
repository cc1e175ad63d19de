import type { Selectable } from 'kysely';
import { type GivenSource, type SourceState, type SourceStatus, shownLocation } from '../model/source.js';
import type { Connection } from './connection.js';
import type { Tables } from './tables.js';
import type { Writer } from './writer.js';

/** What a refresh has to know of its source. */
export type SourceRow = Selectable<Tables['source']>;

export interface Sources {
  list(): Promise<SourceStatus[]>;
  /** The whole row, credentials in its location included. */
  byId(id: number): Promise<SourceRow | null>;
  /** Says which sources are given, in order; resolves with their ids. Those not given any more become missing. */
  give(sources: readonly GivenSource[]): Promise<number[]>;
  /** Without a reason, the one that stands there stays. */
  setState(id: number, state: SourceState, reason?: string): Promise<void>;
  /** Counts a refresh that found exactly the list in service. */
  confirm(id: number): Promise<void>;
  /** Takes out what has been missing for 24 h and 3 refreshes. True when there was any. */
  expireMissing(): Promise<boolean>;
}

export function createSources({ db }: Connection, writer: Writer): Sources {
  return {
    async list() {
      const joined = db.selectFrom('source as s').leftJoin('snapshot as n', 'n.id', 's.snapshot');
      const columns = joined.selectAll('s').select(['n.entries', 'n.channels', 'n.skipped']);
      const rows = await columns.orderBy('s.given', 'desc').orderBy('s.position').orderBy('s.id').execute();
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        location: shownLocation(row.location),
        interface: row.interface,
        state: row.state,
        reason: row.reason,
        entries: row.entries ?? 0,
        channels: row.channels ?? 0,
        skipped: JSON.parse(row.skipped ?? '{}') as Record<string, number>,
        refreshedAt: row.refreshed_at,
        publishedAt: row.published_at,
      }));
    },
    async byId(id) {
      return (await db.selectFrom('source').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
    },
    give: (sources) => writer.call('giveSources', { sources }),
    setState: (id, state, reason) =>
      writer.call('setSourceState', { id, state, ...(reason === undefined ? {} : { reason }) }),
    confirm: (id) => writer.call('confirmSource', { id }),
    expireMissing: () => writer.call('expireMissing', null),
  };
}
