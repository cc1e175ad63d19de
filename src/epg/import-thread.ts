import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf, WeirError } from '../lib/errors.js';
import { giveWay } from '../lib/priority.js';
import { attachGuideStore } from '../store/guide/open.js';
import { attachStore } from '../store/open.js';
import type { Failure } from '../store/writes.js';
import { type GuideTask, importGuide, type Outcome } from './import-guide.js';
import { needsOf } from './wanted.js';

/** What the thread is started with: one body to read, or null to say only what is wanted. It answers once, and ends. */
export type ImportJob = {
  readonly dir: string;
  /** To the writers of weir.db and guide.db, and two more to the latter for the parse threads. */
  readonly port: MessagePort;
  readonly guidePort: MessagePort;
  readonly parsePorts: readonly MessagePort[];
  readonly task: GuideTask | null;
};
export type ImportReply =
  | {
      readonly outcome: Outcome | null;
      /** Pairs of a guide channel and the seconds for which its past programmes are kept, of all that is linked. */
      readonly keep: Float64Array;
      /** Guide sources that have channels linked whose programmes are not kept yet. */
      readonly wanting: readonly number[];
    }
  | { readonly failure: Failure };

const { dir, port, guidePort, parsePorts, task } = workerData as ImportJob;
const store = attachStore({ dir, port });
const guide = attachGuideStore({ dir, port: guidePort });
giveWay();
const say = (reply: ImportReply) => parentPort?.postMessage(reply);
try {
  const { guideHouse: house } = store;
  const outcome = task === null ? null : await importGuide({ dir, house, guide, ports: parsePorts }, task);
  say({ outcome, ...needsOf(house, guide.channels) });
} catch (error) {
  say({ failure: { code: error instanceof WeirError ? error.code : 'internal', message: messageOf(error) } });
} finally {
  for (const one of parsePorts) one.close();
  guide.close();
  store.close();
}
