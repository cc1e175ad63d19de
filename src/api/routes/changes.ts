import { WeirError } from '../../lib/errors.js';
import { noSuchChange } from '../../model/change.js';
import type { changeOperations } from '../contract/change.js';
import type { Handlers } from '../handle.js';
import type { ApiOptions } from '../options.js';
import { redactChange, redactRow, shownTo } from '../redact.js';

type Options = Pick<ApiOptions, 'edits' | 'editReads' | 'playlists' | 'guides'>;

/** Tables that hold what only administrators change. */
const secretTables = ['source', 'guide_source'];
const linkTables = ['guide_link', 'guide_choice', 'guide_rejection'];

export function changeHandlers({ edits, editReads, playlists, guides }: Options): Handlers<typeof changeOperations> {
  const found = async (id: number) => {
    const change = await editReads.change(id);
    if (change === null) throw new WeirError('not-found', noSuchChange);
    return change;
  };
  return {
    async listChanges({ query, caller }) {
      const { items, next } = await editReads.changes(query);
      return { body: { items: items.map((change) => shownTo(caller.scope, change, redactChange)), next } };
    },
    async getChange({ params, caller }) {
      const change = await found(params.id);
      if (caller.scope === 'admin') return { body: change };
      const items = change.items.map(({ table, before, after }) => ({
        table,
        before: redactRow(before),
        after: redactRow(after),
      }));
      return { body: { ...redactChange(change), items } };
    },
    async undoChange({ params, by, caller }) {
      const { items } = await found(params.id);
      if (caller.scope !== 'admin' && items.some(({ table }) => secretTables.includes(table))) {
        throw new WeirError('forbidden', 'This change is of a source. To undo it needs a key of scope admin.');
      }
      const { change, rows, tables } = await edits.undo(params.id, by());
      if (tables.includes('source')) await playlists.sourcesChanged();
      if (tables.includes('rule')) await playlists.applyRules();
      if (tables.includes('guide_source')) await guides.sourcesChanged();
      if (tables.some((table) => linkTables.includes(table))) guides.linksChanged();
      return { body: { change: change && shownTo(caller.scope, change, redactChange), rows } };
    },
  };
}
