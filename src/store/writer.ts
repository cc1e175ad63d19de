import type { MessagePort } from 'node:worker_threads';
import { WeirError } from '../lib/errors.js';
import type { Failure, writes } from './writes.js';

/** One end of a channel to a writer thread that carries out `W`, by name. Its requests are carried out in order. */
export interface WriterOf<W> {
  /**
   * @param given buffers in the input that are handed over: they are gone here. All else is copied.
   * @throws WeirError what the write met, or `unavailable` when the writer is gone.
   */
  call<M extends keyof W>(method: M, input: InputOf<W[M]>, given?: readonly ArrayBuffer[]): Promise<OutputOf<W[M]>>;
  close(): void;
}

export type Writer = WriterOf<typeof writes>;

type InputOf<Write> = Write extends (connection: never, input: infer Input) => unknown ? Input : never;
type OutputOf<Write> = Write extends (connection: never, input: never) => infer Output ? Awaited<Output> : never;

/** What crosses between a writer and its clients. */
export type Request = { readonly id: number; readonly method: PropertyKey; readonly input: unknown };
export type Reply =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly error: Failure };

type Pending = { resolve(output: unknown): void; reject(error: Error): void };

/** Speaks to a writer through a port that its owner gave. */
export function createWriter<W = typeof writes>(port: MessagePort): WriterOf<W> {
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
    call<M extends keyof W>(method: M, input: InputOf<W[M]>, given: readonly ArrayBuffer[] = []) {
      if (closed) return Promise.reject(gone());
      lastId += 1;
      const id = lastId;
      const answered = new Promise<OutputOf<W[M]>>((resolve, reject) => {
        pending.set(id, { resolve: (output) => resolve(output as OutputOf<W[M]>), reject });
      });
      // Outside of what waits for the answer: a chunk of a big import is garbage as soon as it is sent.
      const request: Request = { id, method, input };
      port.postMessage(request, given);
      return answered;
    },
    close: () => port.close(),
  };
}

function gone(): WeirError {
  return new WeirError('unavailable', 'The database is closed: weir is stopping, or its writer failed.');
}
