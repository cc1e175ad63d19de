import type { MessagePort } from 'node:worker_threads';
import { WeirError } from '../lib/errors.js';
import type { Input, Method, Output, Reply, Request } from './writes.js';

/** One end of a channel to the writer thread. Its requests are carried out in order. */
export interface Writer {
  /** @throws WeirError what the write met, or `unavailable` when the writer is gone. */
  call<M extends Method>(method: M, input: Input<M>): Promise<Output<M>>;
  close(): void;
}

type Pending = { resolve(output: unknown): void; reject(error: Error): void };

/** Speaks to the writer through a port that `Store.connect` gave. */
export function createWriter(port: MessagePort): Writer {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let closed = false;
  port.on('message', (reply: Reply) => {
    const request = pending.get(reply.id);
    pending.delete(reply.id);
    if ('error' in reply) request?.reject(new WeirError(reply.error.code, reply.error.message));
    else request?.resolve(reply.output);
  });
  port.on('close', () => {
    closed = true;
    for (const request of pending.values()) request.reject(gone());
    pending.clear();
  });
  return {
    call<M extends Method>(method: M, input: Input<M>) {
      if (closed) return Promise.reject(gone());
      lastId += 1;
      const id = lastId;
      const answered = new Promise<Output<M>>((resolve, reject) => {
        pending.set(id, { resolve: (output) => resolve(output as Output<M>), reject });
      });
      // Outside of what waits for the answer: a chunk of a big import is garbage as soon as it is sent.
      port.postMessage({ id, method, input } as Request<M>);
      return answered;
    },
    close: () => port.close(),
  };
}

function gone(): WeirError {
  return new WeirError('unavailable', 'The database is closed: weir is stopping, or its writer failed.');
}
