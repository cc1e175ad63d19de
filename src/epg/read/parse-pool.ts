import { type MessagePort, Worker } from 'node:worker_threads';
import { WeirError } from '../../lib/errors.js';
import type { GuideProblem } from '../../model/guide.js';
import type { ParseOptions } from './elements.js';
import type { SliceBatch, Unreadable } from './parse-batch.js';
import type { ParseJob, ParseReply, ParseRequest } from './parse-thread.js';
import { Problems } from './problems.js';

export type ParsePoolOptions = ParseOptions & {
  /** The data directory. */
  readonly dir: string;
  /** Of guide.db: whose texts these are. */
  readonly snapshot: number;
  /** Connections to the guide writer, one for each thread that may be started: 1 or 2. They are transferred, or closed. */
  readonly ports: readonly MessagePort[];
};

/** Threads that read slices and hand what is said in them to the guide writer. The second is started when 8 batches wait for the first. */
export interface ParsePool {
  /** Waits while 8 batches are on their way to each thread. Its buffers are gone afterwards. @throws what ended a thread. */
  send(batch: SliceBatch): Promise<void>;
  /** Once all texts are written, and the threads have ended. @throws what ended a thread. */
  end(): Promise<{ readonly unreadable: readonly Unreadable[]; readonly problems: readonly GuideProblem[] }>;
  /** Ends the threads at once. It may be called at any time, and again. */
  stop(): void;
}

/** Batches that are on their way to one thread. */
const mostWaiting = 8;
/** MB of objects that a thread makes before the dead ones are looked for. */
const young = 16;

export function createParsePool(options: ParsePoolOptions): ParsePool {
  return new Pool(options);
}

class Pool implements ParsePool {
  readonly #options: ParsePoolOptions;
  readonly #unusedPorts: MessagePort[];
  readonly #threads: ParseThread[] = [];
  readonly #unreadable: Unreadable[] = [];
  readonly #problems = new Problems();

  constructor(options: ParsePoolOptions) {
    this.#options = options;
    this.#unusedPorts = [...options.ports];
  }

  async send(batch: SliceBatch): Promise<void> {
    let thread = this.#idlest();
    if (thread === undefined || thread.waiting >= mostWaiting) thread = this.#start() ?? thread;
    while (thread !== undefined && thread.waiting >= mostWaiting) {
      await Promise.race(this.#threads.map((one) => one.answered()));
      thread = this.#idlest();
    }
    if (thread === undefined) throw new WeirError('internal', 'A parse pool was given no connection to the writer.');
    thread.send(batch);
  }

  async end(): Promise<{ unreadable: readonly Unreadable[]; problems: readonly GuideProblem[] }> {
    try {
      await Promise.all(this.#threads.map((thread) => thread.end()));
      return { unreadable: this.#unreadable, problems: this.#problems.all() };
    } finally {
      this.stop();
    }
  }

  stop(): void {
    for (const port of this.#unusedPorts.splice(0)) port.close();
    for (const thread of this.#threads) thread.stop();
  }

  #idlest(): ParseThread | undefined {
    return this.#threads.toSorted((one, other) => one.waiting - other.waiting)[0];
  }

  /** Another thread, while there may be one more. */
  #start(): ParseThread | undefined {
    const port = this.#unusedPorts.shift();
    if (port === undefined) return undefined;
    const { snapshot, timeZone, encoding, declared } = this.#options;
    const thread = new ParseThread({ snapshot, port, options: { timeZone, encoding, declared } }, (answer) => {
      this.#unreadable.push(...answer.unreadable);
      for (const problem of answer.problems) this.#problems.merge(problem);
    });
    this.#threads.push(thread);
    return thread;
  }
}

type Answer = Extract<ParseReply, { unreadable: unknown }>;

class ParseThread {
  /** Batches that it has not answered. */
  waiting = 0;
  readonly #worker: Worker;
  #failure: Error | null = null;
  #isOver = false;
  /** Called at the next answer, and at the end. */
  #wake: (() => void)[] = [];

  constructor(job: ParseJob, take: (answer: Answer) => void) {
    this.#worker = new Worker(new URL('./parse-thread.js', import.meta.url), {
      workerData: job,
      transferList: [job.port],
      resourceLimits: { maxYoungGenerationSizeMb: young },
    });
    this.#worker.on('message', (reply: ParseReply) => {
      if (reply === 'ended') this.#isOver = true;
      else if ('failure' in reply) this.#fail(new WeirError(reply.failure.code, reply.failure.message));
      else {
        this.waiting -= 1;
        take(reply);
      }
      this.#wakeAll();
    });
    this.#worker.once('error', (error) => this.#fail(error));
    this.#worker.once('exit', () => {
      if (!this.#isOver) this.#fail(new WeirError('unavailable', 'The guide could not be read to its end.'));
    });
  }

  send({ bytes, ends, texts, offsets }: SliceBatch): void {
    this.waiting += 1;
    const request: ParseRequest = { batch: { bytes, ends, texts, offsets } };
    this.#worker.postMessage(request, [bytes.buffer, ends.buffer, texts.buffer, offsets.buffer]);
  }

  /** At its next answer. @throws what ended it. */
  async answered(): Promise<void> {
    if (this.#failure === null) await new Promise<void>((resolve) => this.#wake.push(resolve));
    if (this.#failure !== null) throw this.#failure;
  }

  /** When everything that it was sent is written. @throws what ended it. */
  async end(): Promise<void> {
    const request: ParseRequest = 'end';
    this.#worker.postMessage(request);
    while (!this.#isOver) await this.answered();
    if (this.#failure !== null) throw this.#failure;
  }

  stop(): void {
    this.#isOver = true;
    this.#failure ??= new WeirError('unavailable', 'The reading of a guide was broken off.');
    this.#wakeAll();
    void this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
