import type { MessagePort } from 'node:worker_threads';
import type { Reply, Request } from './writer.js';
import { createTurns } from './writer-turns.js';
import type { Failure } from './writes.js';

/** From the owner: a new client, or the end. To the owner: it runs, with what is to be logged of its start, or why not. */
export type ToWriter = { readonly client: MessagePort } | { readonly close: true };
export type FromWriter = { readonly running: true; readonly notes: readonly string[] } | { readonly failed: Failure };

type Service = {
  readonly owner: MessagePort;
  perform(request: Request): Promise<unknown>;
  failureOf(error: unknown): Failure;
  /** Called after each request; `rests` when none waits. */
  answered?(rests: boolean): void;
  /** Closes the database. */
  close(): void | Promise<void>;
};

/** Carries out requests one after another, in a writer thread: a write never sees another one half done. */
export function serveWriter({ owner, perform, failureOf, answered, close }: Service): void {
  const turns = createTurns();
  const ports = new Set<MessagePort>();
  let waiting = 0;
  const answer = async (port: MessagePort, request: Request) => {
    const { id } = request;
    const done = perform(request).then((output): Reply => ({ id, output }));
    port.postMessage(await done.catch((error: unknown): Reply => ({ id, error: failureOf(error) })));
    waiting -= 1;
    answered?.(waiting === 0);
  };
  const accept = (port: MessagePort) => {
    ports.add(port);
    port.on('close', () => ports.delete(port));
    port.on('message', (request: Request) => {
      waiting += 1;
      turns.add(port, () => answer(port, request));
    });
  };
  const end = async () => {
    for (const port of ports) port.close();
    await close();
    owner.close();
  };
  owner.on('message', (message: ToWriter) => {
    if ('client' in message) accept(message.client);
    else turns.end(() => void end());
  });
}
