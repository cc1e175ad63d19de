import { WeirError } from '../../lib/errors.js';
import type { Entries } from '../catalogue.js';
import type { entryOperations } from '../contract/entry.js';
import type { Handlers } from '../handle.js';
import { redactEntry, shownTo } from '../redact.js';

export function entryHandlers(entries: Entries): Handlers<typeof entryOperations> {
  return {
    async listEntries({ query: { limit, after, ...filter }, caller }) {
      const { items, next } = await entries.page(filter, { limit, after });
      return { body: { items: items.map((entry) => shownTo(caller.scope, entry, redactEntry)), next } };
    },
    async getEntry({ params, caller }) {
      const entry = await entries.byId(params.id);
      if (entry === null) throw new WeirError('not-found', 'There is no such entry.');
      return { body: shownTo(caller.scope, entry, redactEntry) };
    },
  };
}
