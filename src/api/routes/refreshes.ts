import { WeirError } from '../../lib/errors.js';
import type { refreshOperations } from '../contract/refresh.js';
import { whole } from '../contract/shapes.js';
import type { Handlers } from '../handle.js';
import type { ApiOptions } from '../options.js';
import { redactDeep, redactJob, redactReason, shownTo } from '../redact.js';
import { required } from './sources.js';

type Options = Pick<ApiOptions, 'sources' | 'refreshes' | 'playlists'>;

export function refreshHandlers({ sources, refreshes, playlists }: Options): Handlers<typeof refreshOperations> {
  const found = async (id: number) => required(await sources.status(id));
  const refreshOf = async (source: number, id: number) => {
    const refresh = await refreshes.byId(id);
    if (refresh?.source === source) return refresh;
    throw new WeirError('not-found', 'There is no such refresh of this source.');
  };
  return {
    async refreshSource({ params, body, caller }) {
      await found(params.id);
      const job = await playlists.refresh(params.id, { dryRun: body.dryRun });
      return { body: shownTo(caller.scope, job, redactJob), location: `/jobs/${job.id}` };
    },
    async listSnapshots({ params, caller }) {
      await found(params.id);
      const snapshots = await refreshes.snapshots(params.id);
      return { body: whole(snapshots.map((one) => shownTo(caller.scope, one, redactReason))) };
    },
    async restoreSnapshot({ params, caller }) {
      await found(params.id);
      const snapshot = (await refreshes.snapshots(params.id)).find(({ id }) => id === params.snapshot);
      if (snapshot === undefined) throw new WeirError('not-found', 'There is no such snapshot of this source.');
      if (!snapshot.kept) throw new WeirError('conflict', 'The body of this snapshot is not kept any more.');
      const job = await playlists.restore(params.id, params.snapshot);
      return { body: shownTo(caller.scope, job, redactJob), location: `/jobs/${job.id}` };
    },
    async listRefreshes({ params, query, caller }) {
      await found(params.id);
      const { items, next } = await refreshes.page(params.id, query);
      return { body: { items: items.map((one) => shownTo(caller.scope, one, redactReason)), next } };
    },
    async getRefresh({ params, caller }) {
      return { body: shownTo(caller.scope, await refreshOf(params.id, params.refresh), redactReason) };
    },
    async listRefreshChanges({ params, query, caller }) {
      await refreshOf(params.id, params.refresh);
      const { items, next } = await refreshes.changes(params.refresh, query);
      return { body: { items: items.map((one) => shownTo(caller.scope, one, redactFields)), next } };
    },
  };
}

function redactFields<T extends { readonly fields: Readonly<Record<string, readonly [unknown, unknown]>> }>(
  value: T,
): T {
  const pairs = Object.entries(value.fields).map(([name, [before, after]]) => {
    const hide = name === 'headers' ? () => '…' : redactDeep;
    return [name, [hide(before), hide(after)]];
  });
  return { ...value, fields: Object.fromEntries(pairs) as T['fields'] };
}
