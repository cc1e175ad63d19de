import { parentPort, workerData } from 'node:worker_threads';
import type { Request } from '../writer.js';
import { serveWriter } from '../writer-service.js';
import { explainGuide, openGuideForWriting } from './connection.js';
import { forgetTitleIds } from './title-ids.js';
import { guideWrites } from './writes.js';

const { dir } = workerData as { dir: string };
const owner = parentPort;
if (owner === null) throw new Error('The writer runs as a worker thread only.');

try {
  const notes: string[] = [];
  const connection = openGuideForWriting(dir, (line) => notes.push(line));
  const perform = async ({ method, input }: Request) => {
    const write = guideWrites[method as keyof typeof guideWrites] as (to: typeof connection, input: unknown) => unknown;
    return await write(connection, input);
  };
  const failureOf = (error: unknown) => {
    // What a transaction made that was undone is not there.
    forgetTitleIds(connection.raw);
    const { code, message } = explainGuide(error, dir);
    return { code, message };
  };
  serveWriter({ owner, perform, failureOf, close: connection.close });
  owner.postMessage({ running: true, notes });
} catch (error) {
  const { code, message } = explainGuide(error, dir);
  owner.postMessage({ failed: { code, message } });
  owner.close();
}
