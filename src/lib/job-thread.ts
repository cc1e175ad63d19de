import { parentPort, Worker } from 'node:worker_threads';
import { type ErrorCode, messageOf, WeirError } from './errors.js';
import { trimMemory } from './native.js';

/** Milliseconds after its last job that the thread is kept: starting it costs more than most jobs. */
const kept = 20_000;
/** MB of new objects, which are dead soon: the usual 48 are never given back while the thread is kept. */
const young = 12;

type Reply<Result> =
  | { readonly result: Result }
  | { readonly failure: { readonly code: ErrorCode; readonly message: string } };
type Waiting<Result> = { resolve(result: Result): void; reject(error: Error): void };

/** A thread that does jobs, one after another; it is started for the first one, and ends when none is wanted for a while. */
export class JobThread<Job, Result> {
  readonly #script: URL;
  readonly #data: unknown;
  /** In the order in which they were asked for, which is the one in which they are answered. */
  readonly #waiting: Waiting<Result>[] = [];
  #thread: Worker | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** The script calls `answerJobs`, and finds the data as `workerData`. */
  constructor(script: URL, data: unknown) {
    this.#script = script;
    this.#data = data;
  }

  /** @throws WeirError that the job failed with, or `unavailable` once the thread is closed. */
  run(job: Job): Promise<Result> {
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
    const thread = new Worker(this.#script, {
      workerData: this.#data,
      resourceLimits: { maxYoungGenerationSizeMb: young },
    });
    thread.on('message', (reply: Reply<Result>) => {
      const one = this.#waiting.shift();
      if ('result' in reply) one?.resolve(reply.result);
      else one?.reject(new WeirError(reply.failure.code, reply.failure.message));
      if (this.#waiting.length === 0) this.#timer = setTimeout(() => this.#end(), kept).unref();
    });
    thread.once('error', (error) => this.#gone(thread, error));
    thread.once('exit', () =>
      this.#gone(thread, new WeirError('unavailable', 'What was asked for could not be made.')),
    );
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

/** In the thread: does each job when those before it are done. */
export function answerJobs<Job, Result>(answer: (job: Job) => Promise<Result>): void {
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (job: Job) => {
    last = last.then(async () => parentPort?.postMessage(await replyTo(answer(job))));
  });
}

async function replyTo<Result>(answer: Promise<Result>): Promise<Reply<Result>> {
  try {
    return { result: await answer };
  } catch (error) {
    return { failure: { code: error instanceof WeirError ? error.code : 'internal', message: messageOf(error) } };
  }
}
