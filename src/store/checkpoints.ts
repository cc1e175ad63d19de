import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import type { Moved, ToCheckpoints } from './checkpoint-thread.js';

/** Rows, or works of a few rows each, after which the log is moved: some MB either way. */
const rows = 5000;
const works = 500;
/** Milliseconds that the thread is kept when nothing is moved: it holds as much memory as a small household does. */
const kept = 10_000;

/**
 * Moves what the writer wrote from SQLite's log to the database file, in a thread beside, so that no write waits for it. The
 * thread is started when there is much. Where it fails, SQLite does so in a commit, later (`wal_autocheckpoint`).
 */
export class Checkpoints {
  readonly #dir: string;
  readonly #total: Database.Statement;
  #thread: Worker | null = null;
  #ended: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Rows written by now, and when the log was to be moved last; works since. */
  #written: number;
  #moved: number;
  #works = 0;
  #isMoving = false;
  #isBehind = false;
  #rests = true;

  /** For the writer's connection. */
  constructor(raw: Database.Database, dir: string) {
    this.#dir = dir;
    this.#total = raw.prepare('SELECT total_changes()').pluck();
    this.#written = Number(this.#total.get());
    this.#moved = this.#written;
  }

  /** To be called after each work of the writer; `rests` when none waits. */
  wrote(rests: boolean): void {
    this.#rests = rests;
    const written = Number(this.#total.get());
    if (written > this.#written) this.#works += 1;
    this.#written = written;
    if (written - this.#moved >= rows || this.#works >= works) this.#move();
    else this.#follow();
  }

  /** Settles when the thread has let go of the file. */
  async close(): Promise<void> {
    this.#end();
    await this.#ended;
  }

  #move(): void {
    if (this.#isMoving) return;
    clearTimeout(this.#timer);
    this.#moved = this.#written;
    this.#works = 0;
    this.#isMoving = true;
    this.#thread ??= this.#start();
    this.#thread.postMessage('move' satisfies ToCheckpoints);
  }

  /** SQLite begins its log anew when all of it is moved, which it never is while writes go on: then the rest follows. */
  #follow(): void {
    if (this.#isBehind && this.#rests) this.#move();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./checkpoint-thread.js', import.meta.url), { workerData: { dir: this.#dir } });
    this.#ended = new Promise((resolve) => thread.once('exit', () => resolve()));
    thread.on('error', () => this.#gone(thread));
    thread.on('exit', () => this.#gone(thread));
    thread.on('message', (moved: Moved) => this.#isThrough(thread, moved));
    return thread;
  }

  /** What a reader keeps from being moved is tried again after the next work, not over and over. */
  #isThrough(thread: Worker, { isWhole }: Moved): void {
    if (this.#thread !== thread) return;
    this.#isMoving = false;
    this.#isBehind = !isWhole || this.#written > this.#moved;
    this.#timer = setTimeout(() => this.#end(), kept).unref();
    if (isWhole) this.#follow();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#thread?.postMessage('close' satisfies ToCheckpoints);
    this.#thread = null;
    this.#isMoving = false;
  }

  #gone(thread: Worker): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#isMoving = false;
  }
}
