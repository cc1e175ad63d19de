import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Checkpoints } from './checkpoints.js';
import { explain, openForWriting } from './connection.js';
import { migrate } from './migrate.js';
import { typed } from './typed.js';
import { type FromWriter, serveWriter } from './writer-service.js';
import { type Failure, perform } from './writes.js';

const { dir } = workerData as { dir: string };
const owner = parentPort;
if (owner === null) throw new Error('The writer runs as a worker thread only.');

const say = (message: FromWriter) => owner.postMessage(message);
try {
  serve(owner);
  say({ running: true, notes: [] });
} catch (error) {
  say({ failed: failureOf(error) });
  owner.close();
}

function serve(owner: MessagePort): void {
  const connection = typed(openForWriting(dir));
  try {
    migrate(connection.raw);
  } catch (error) {
    connection.close();
    throw error;
  }
  const checkpoints = new Checkpoints(connection.raw, dir);
  serveWriter({
    owner,
    perform: (request) => perform(connection, request),
    failureOf,
    answered: (rests) => checkpoints.wrote(rests),
    async close() {
      await checkpoints.close();
      connection.close();
    },
  });
}

function failureOf(error: unknown): Failure {
  const { code, message } = explain(error, dir);
  return { code, message };
}
