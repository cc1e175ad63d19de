import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import type { FromWriter, ToWriter } from './writer-service.js';

/** MB of new objects of a writer: rows on their way are dead at once, and what they took is never given back. */
const young = 12;

/** The thread that owns every write to a database. */
export interface WriterThread {
  /** A channel to it, to be handed to a client of whatever thread. */
  connect(): MessagePort;
  /** Settles when all that was asked before is done and the file is closed. */
  end(): Promise<void>;
  /** Ends it as it stands. */
  terminate(): Promise<unknown>;
}

/** Starts the writer `script` of a data directory. @throws WeirError why it does not run. */
export async function startWriter(
  script: URL,
  { dir, log }: { dir: string; log?: Log | undefined },
): Promise<WriterThread> {
  const thread = new Worker(script, { workerData: { dir }, resourceLimits: { maxYoungGenerationSizeMb: young } });
  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  for (const note of await started(thread)) log?.warn(note);
  thread.on('error', (error) => log?.error({ error: error.message }, 'the database writer failed'));
  const say = (message: ToWriter) => thread.postMessage(message, 'client' in message ? [message.client] : []);
  return {
    connect() {
      const { port1, port2 } = new MessageChannel();
      say({ client: port2 });
      return port1;
    },
    async end() {
      say({ close: true });
      await exited;
    },
    terminate: () => thread.terminate(),
  };
}

/** Resolves with what there is to say of its start. */
function started(thread: Worker): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', (message: FromWriter) => {
      thread.off('error', reject);
      if ('running' in message) resolve(message.notes);
      else reject(new WeirError(message.failed.code, message.failed.message));
    });
  });
}
