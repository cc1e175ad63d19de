import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Request } from '../writer.js';
import { type FromWriter, serveWriter } from '../writer-service.js';
import type { Failure } from '../writes.js';
import { explainGuide, openGuideForWriting } from './connection.js';
import { guideWrites } from './writes.js';

const { dir } = workerData as { dir: string };
const owner = parentPort;
if (owner === null) throw new Error('The writer runs as a worker thread only.');

const say = (message: FromWriter) => owner.postMessage(message);
try {
  say({ running: true, notes: serve(owner) });
} catch (error) {
  say({ failed: failureOf(error) });
  owner.close();
}

/** Returns what is to be logged. */
function serve(owner: MessagePort): string[] {
  const notes: string[] = [];
  const raw = openGuideForWriting(dir, (line) => notes.push(line));
  serveWriter({
    owner,
    async perform({ method, input }: Request) {
      const write = guideWrites[method as keyof typeof guideWrites] as (to: typeof raw, input: unknown) => unknown;
      return await write(raw, input);
    },
    failureOf,
    close: () => void raw.close(),
  });
  return notes;
}

function failureOf(error: unknown): Failure {
  const { code, message } = explainGuide(error, dir);
  return { code, message };
}
