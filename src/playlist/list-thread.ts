import { Worker } from 'node:worker_threads';
import { WeirError } from '../lib/errors.js';
import { trimMemory } from '../lib/native.js';
import type { PublishJob, PublishReply } from './publish-thread.js';
import type { ListFile } from './write/file.js';

/** Milliseconds after its last list that the thread is kept: starting it takes as long as writing a list of some 10,000 channels. */
const kept = 20_000;

type Waiting = { resolve(list: ListFile): void; reject(error: Error): void };

/** A thread that writes lists, one after another; it is started for the first one, and ends when none is wanted for a while. */
export class ListThread {
  readonly #dir: string;
  /** In the order in which they were asked for, which is the one in which they are answered. */
  readonly #waiting: Waiting[] = [];
  #thread: Worker | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @throws WeirError `not-found` when there is no such line-up. */
  write(job: PublishJob): Promise<ListFile> {
    if (this.#closed) return Promise.reject(new WeirError('unavailable', 'Weir is stopping.'));
    clearTimeout(this.#timer);
    this.#thread ??= this.#start();
    const thread = this.#thread;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      thread.postMessage(job);
    });
  }

  close(): void {
    this.#closed = true;
    this.#end();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./publish-thread.js', import.meta.url), { workerData: { dir: this.#dir } });
    thread.on('message', (reply: PublishReply) => {
      const one = this.#waiting.shift();
      if ('list' in reply) one?.resolve(reply.list);
      else one?.reject(new WeirError(reply.failure.code, reply.failure.message));
      if (this.#waiting.length === 0) this.#timer = setTimeout(() => this.#end(), kept).unref();
    });
    thread.once('error', (error) => this.#gone(thread, error));
    thread.once('exit', () => this.#gone(thread, new WeirError('unavailable', 'The list could not be written.')));
    return thread;
  }

  #end(): void {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    if (thread === null) return;
    this.#gone(thread, new WeirError('unavailable', 'Weir is stopping.'));
    void thread.terminate().then(trimMemory);
  }

  /** Whoever asks from now on gets another one. */
  #gone(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
