import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../lib/errors.js';
import { attachStore } from '../store/open.js';
import type { Fetched } from './fetch.js';
import { importList, type Outcome } from './import-list.js';

/** What the thread is started with: one list to import. It says how that went, and ends. */
export type ImportJob = {
  readonly dir: string;
  readonly port: MessagePort;
  readonly source: number;
  readonly fetched: Fetched;
};
export type ImportReply = { readonly outcome: Outcome } | { readonly failure: string };

const { dir, port, source, fetched } = workerData as ImportJob;
const store = attachStore({ dir, port });
const say = (reply: ImportReply) => parentPort?.postMessage(reply);
try {
  say({ outcome: await importList(store, source, fetched) });
} catch (error) {
  say({ failure: messageOf(error) });
} finally {
  store.close();
}
