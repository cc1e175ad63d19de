import { parentPort, workerData } from 'node:worker_threads';
import { openForWriting } from './connection.js';

/** Move what the log holds by now, or end. The first is answered when it is done. */
export type ToCheckpoints = 'move' | 'close';
/** Whether all that the log held then is moved: readers of an older state keep a part of it. */
export type Moved = { readonly isWhole: boolean };

const raw = openForWriting((workerData as { readonly dir: string }).dir);
parentPort?.on('message', (message: ToCheckpoints) => {
  if (message === 'close') {
    raw.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage({ isWhole: move() } satisfies Moved);
});

/** Moves as much as readers allow, while others write. */
function move(): boolean {
  try {
    const [{ log, checkpointed }] = raw.pragma('wal_checkpoint(PASSIVE)') as [{ log: number; checkpointed: number }];
    return checkpointed === log;
  } catch {
    // A full disk, say: the log stays as it is, and whoever writes meets that too.
    return false;
  }
}
