import type { Selectable } from 'kysely';
import { WeirError } from '../lib/errors.js';
import type { Change } from '../model/change.js';
import type { By } from '../model/edit.js';
import type { RefreshCause } from '../model/refresh.js';
import type { GivenSource, NewSource, SourcePatch, SourceState, SourceStatus } from '../model/source.js';
import type { Connection } from './connection.js';
import { statusOf } from './source-row.js';
import type { Tables } from './tables.js';
import type { Writer } from './writer.js';

/** What a refresh has to know of its source. */
export type SourceRow = Selectable<Tables['source']>;

export interface Sources {
  /** In the order in which they are published; removed ones left out. Locations are whole, credentials included. */
  list(): Promise<SourceStatus[]>;
  status(id: number): Promise<SourceStatus | null>;
  /** The whole row. */
  byId(id: number): Promise<SourceRow | null>;
  /** Those whose channels are listed by another setting of archives than theirs is now. */
  listedOtherwise(): Promise<number[]>;
  /** The rows of those that are refreshed: enabled, and neither missing nor removed. */
  active(): Promise<SourceRow[]>;
  /** Says which sources are given, in order; resolves with their ids. Those not given any more become missing. */
  give(sources: readonly GivenSource[]): Promise<number[]>;
  /** Without a reason, the one that stands there stays. */
  setState(id: number, state: SourceState, reason?: string): Promise<void>;
  /** Of one whose refresh was broken off: sets back what stood there before it. */
  rest(id: number): Promise<void>;
  plan(id: number, nextRefreshAt: number | null): Promise<void>;
  /** Counts a refresh that found exactly the list in service. */
  confirm(id: number): Promise<void>;
  fail(failure: { id: number; reason: string; cause: RefreshCause; startedAt: number }): Promise<void>;
  /**
   * Adds a list; one that was removed comes back with its channels and their edits.
   * @throws WeirError `conflict` when there is one of that location.
   */
  add(source: NewSource, by: By): Promise<SourceStatus>;
  /** @throws WeirError `conflict` for one that flag or configuration give; `precondition-failed` for another version. */
  update(id: number, patch: SourcePatch, by: By): Promise<SourceStatus>;
  remove(id: number, by: By): Promise<void>;
  /** Tells each change that a user made. Returns what ends it. */
  on(listener: (change: Change) => void): () => void;
  /** Takes out what has been missing for 24 h and 3 refreshes. True when there was any. */
  expireMissing(): Promise<boolean>;
}

export function createSources({ db }: Connection, writer: Writer): Sources {
  const statuses = () => {
    const joined = db.selectFrom('source as s').leftJoin('snapshot as n', 'n.id', 's.snapshot');
    const columns = joined.selectAll('s').select(['n.entries', 'n.channels', 'n.skipped', 'n.kinds', 'n.problems']);
    return columns.where('s.state', '<>', 'removed');
  };
  const status = async (id: number) => {
    const row = await statuses().where('s.id', '=', id).executeTakeFirst();
    return row === undefined ? null : statusOf(row);
  };
  const required = async (id: number) => {
    const found = await status(id);
    if (found === null) throw new WeirError('not-found', `There is no source ${id}.`);
    return found;
  };
  const listeners = new Set<(change: Change) => void>();
  const tell = ({ change }: { readonly change: Change | null }) => {
    if (change !== null) for (const listener of listeners) listener(change);
  };
  return {
    status,
    async list() {
      const rows = await statuses().orderBy('s.given', 'desc').orderBy('s.position').orderBy('s.id').execute();
      return rows.map(statusOf);
    },
    async byId(id) {
      return (await db.selectFrom('source').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
    },
    listedOtherwise: () => listedOtherwise(db),
    async active() {
      const rows = db.selectFrom('source').selectAll().where('enabled', '=', 1);
      return await rows
        .where('state', 'not in', ['missing', 'removed'])
        .orderBy('given', 'desc')
        .orderBy('position')
        .orderBy('id')
        .execute();
    },
    give: (sources) => writer.call('giveSources', { sources }),
    setState: (id, state, reason) =>
      writer.call('setSourceState', { id, state, ...(reason === undefined ? {} : { reason }) }),
    rest: (id) => writer.call('restSource', { id }),
    plan: (id, nextRefreshAt) => writer.call('planSource', { id, nextRefreshAt }),
    confirm: (id) => writer.call('confirmSource', { id }),
    fail: (failure) => writer.call('failSource', failure),
    async add(source, by) {
      const added = await writer.call('addSource', { source, by });
      tell(added);
      return await required(added.made);
    },
    async update(id, patch, by) {
      tell(await writer.call('updateSource', { id, patch, by }));
      return await required(id);
    },
    async remove(id, by) {
      tell(await writer.call('removeSource', { id, by }));
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    expireMissing: () => writer.call('expireMissing', null),
  };
}

async function listedOtherwise(db: Connection['db']): Promise<number[]> {
  const served = db.selectFrom('source as s').innerJoin('snapshot as n', 'n.id', 's.snapshot').select('s.id');
  const others = served.where('s.listed', '=', 1).where('s.catchup', 'is distinct from', (e) => e.ref('n.catchup'));
  return (await others.execute()).map(({ id }) => id);
}
