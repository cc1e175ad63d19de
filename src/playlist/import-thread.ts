import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf, WeirError } from '../lib/errors.js';
import { giveWay } from '../lib/priority.js';
import { attachStore } from '../store/open.js';
import type { Failure } from '../store/writes.js';
import { type ImportTask, importList, type Outcome } from './import-list.js';

/** What the thread is started with: one list to import. It says when that is in service and how it went, and ends. */
export type ImportJob = { readonly dir: string; readonly port: MessagePort; readonly task: ImportTask };
export type ImportReply = { readonly inService: true } | { readonly outcome: Outcome } | { readonly failure: Failure };

const { dir, port, task } = workerData as ImportJob;
const store = attachStore({ dir, port });
giveWay();
const say = (reply: ImportReply) => parentPort?.postMessage(reply);
try {
  say({ outcome: await importList(store, task, () => say({ inService: true })) });
} catch (error) {
  say({ failure: { code: error instanceof WeirError ? error.code : 'internal', message: messageOf(error) } });
} finally {
  store.close();
}
