import type { MessagePort } from 'node:worker_threads';
import type { GuideProblem } from '../../model/guide.js';
import type { ParseOptions } from './elements.js';
import type { SliceBatch, Unreadable } from './parse-batch.js';

export type ParsePoolOptions = ParseOptions & {
  /** The data directory. */
  readonly dir: string;
  /** Of guide.db: whose texts these are. */
  readonly snapshot: number;
  /** Connections to the guide writer, one for each thread that may be started: 1 or 2. They are transferred. */
  readonly ports: readonly MessagePort[];
};

/** Threads that read slices and hand what is said in them to the guide writer. The second is started when more than 8 batches wait. */
export interface ParsePool {
  /** Waits while 8 batches are on their way to each thread. Its buffers are gone afterwards. @throws what ended a thread. */
  send(batch: SliceBatch): Promise<void>;
  /** Once all texts are written, and the threads have ended. @throws what ended a thread. */
  end(): Promise<{ readonly unreadable: readonly Unreadable[]; readonly problems: readonly GuideProblem[] }>;
  /** Ends the threads at once. */
  stop(): void;
}

export function createParsePool(options: ParsePoolOptions): ParsePool {
  throw new Error(`Not yet: ${options.dir}`);
}
