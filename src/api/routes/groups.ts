import type { CatalogueReads } from '../catalogue.js';
import type { groupOperations } from '../contract/group.js';
import { whole } from '../contract/shapes.js';
import type { Handlers } from '../handle.js';

export function groupHandlers(catalogue: CatalogueReads): Handlers<typeof groupOperations> {
  return { listGroups: async () => ({ body: whole(await catalogue.groups()) }) };
}
