import { prepareDataDirectory } from '../lib/data-directory.js';
import { openStore, type Store } from '../store/open.js';
import { configOf, type DataFlags } from './options.js';

/** Opens the store of the data directory for one task; a running weir may have it open as well. */
export async function withStore(flags: DataFlags, task: (store: Store) => Promise<void>): Promise<void> {
  const { data } = configOf({ config: flags.config, data: flags.data });
  prepareDataDirectory(data);
  const store = await openStore({ dir: data });
  try {
    await task(store);
  } finally {
    await store.close();
  }
}
