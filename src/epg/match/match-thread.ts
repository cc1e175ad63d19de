import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf, WeirError } from '../../lib/errors.js';
import { giveWay } from '../../lib/priority.js';
import { readGuideStore } from '../../store/guide/open.js';
import { attachStore } from '../../store/open.js';
import type { Failure } from '../../store/writes.js';
import { type MatchRun, runMatching } from './run.js';

/** What the thread is started with. It tells how far it is, then how it went, and ends. */
export type MatchJob = { readonly dir: string; readonly port: MessagePort };
export type MatchReply = { readonly progress: number } | { readonly run: MatchRun } | { readonly failure: Failure };

const { dir, port } = workerData as MatchJob;
const store = attachStore({ dir, port });
const guide = readGuideStore(dir);
giveWay();
const say = (reply: MatchReply) => parentPort?.postMessage(reply);
try {
  const parts = { house: store.guideHouse, channels: guide.channels };
  say({ run: await runMatching(parts, (progress) => say({ progress })) });
} catch (error) {
  say({ failure: { code: error instanceof WeirError ? error.code : 'internal', message: messageOf(error) } });
} finally {
  guide.close();
  store.close();
}
