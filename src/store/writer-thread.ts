import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Checkpoints } from './checkpoints.js';
import { explain, openForWriting } from './connection.js';
import { migrate } from './migrate.js';
import { typed } from './typed.js';
import { createTurns } from './writer-turns.js';
import { type Failure, perform, type Reply, type Request } from './writes.js';

/** From the owner: a new client, or the end. To the owner: it runs, or why not. */
export type ToWriter = { readonly client: MessagePort } | { readonly close: true };
export type FromWriter = { readonly running: true } | { readonly failed: Failure };

const { dir } = workerData as { dir: string };
const owner = parentPort;
if (owner === null) throw new Error('The writer runs as a worker thread only.');

const say = (message: FromWriter) => owner.postMessage(message);
try {
  serve(owner);
  say({ running: true });
} catch (error) {
  say({ failed: failureOf(error) });
  owner.close();
}

/** Carries out requests one after another: a write never sees another one half done. */
function serve(owner: MessagePort): void {
  const connection = typed(openForWriting(dir));
  try {
    migrate(connection.raw);
  } catch (error) {
    connection.close();
    throw error;
  }
  const turns = createTurns();
  const checkpoints = new Checkpoints(connection.raw, dir);
  const ports = new Set<MessagePort>();
  let waiting = 0;
  const answer = async (port: MessagePort, request: Request) => {
    const { id } = request;
    const done = perform(connection, request).then((output): Reply => ({ id, output }));
    port.postMessage(await done.catch((error: unknown): Reply => ({ id, error: failureOf(error) })));
    waiting -= 1;
    checkpoints.wrote(waiting === 0);
  };
  const accept = (port: MessagePort) => {
    ports.add(port);
    port.on('close', () => ports.delete(port));
    port.on('message', (request: Request) => {
      waiting += 1;
      turns.add(port, () => answer(port, request));
    });
  };
  const close = async () => {
    for (const port of ports) port.close();
    await checkpoints.close();
    connection.close();
    owner.close();
  };
  owner.on('message', (message: ToWriter) => {
    if ('client' in message) accept(message.client);
    else turns.end(() => void close());
  });
}

function failureOf(error: unknown): Failure {
  const { code, message } = explain(error, dir);
  return { code, message };
}
