import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Impairment } from './impair.js';
import { until } from './until.js';

export type SourceOptions = {
  /** A group or a host, IPv4 or IPv6. */
  readonly address: string;
  readonly port: number;
  /** Media and tables, 2 Mbit/s unless said. */
  readonly mbit?: number;
  /** Local address to send from. */
  readonly from?: string;
  /** What a group is sent through: an IPv4 address of ours, or `::%name`. */
  readonly interface?: string;
  /** Namespace to send in. */
  readonly netns?: string;
  /**
   * `rtp`: seven TS packets each · `bare`: the same without RTP · `chopped`: 1,472 bytes of TS each · `other`: text ·
   * `rtp-other`: RTP with payload type 96 that is no TS.
   */
  readonly framing?: 'rtp' | 'bare' | 'chopped' | 'other' | 'rtp-other';
  readonly impair?: Impairment;
  readonly seed?: number;
  /** Of the first RTP packet; random unless said. */
  readonly ssrc?: number;
  readonly sequence?: number;
  /** What its packets say they are from; 1 unless said. */
  readonly tag?: number;
  /** Number of the first media packet; 0 unless said. */
  readonly first?: number;
  /** False for a TS without PAT and PMT. */
  readonly tables?: boolean;
  /** Sends null packets alone until `begin`. */
  readonly nulls?: boolean;
  /** Begins silent. */
  readonly paused?: boolean;
};

export type Command = {
  readonly do: 'begin' | 'pause' | 'resume' | 'restart' | 'report';
  readonly id?: number;
  readonly what?: string;
};

/** What a source has sent so far. */
export type SourceReport = {
  /** Number of the media packet that it would make next. */
  readonly next: number;
  /** Numbers of the media packets that were lost on the way, by its impairment. */
  readonly dropped: readonly number[];
  readonly datagrams: number;
  /** The longest time that it was not scheduled, in milliseconds: what it held back then came late. */
  readonly longestPause: number;
};

type Event =
  | { readonly event: 'ready' }
  | { readonly event: 'report'; readonly id: number; readonly report: SourceReport };
type Owner = { after(undo: () => Promise<void>): void };

/** A sender of numbered TS (see `ts.ts`), a process of its own. */
export class Source {
  readonly options: SourceOptions;
  readonly #child: ChildProcess;
  readonly #reports = new Map<number, SourceReport>();
  #asked = 0;
  #ready = false;

  constructor(options: SourceOptions) {
    this.options = options;
    const path = fileURLToPath(new URL('./rtp-sender.js', import.meta.url));
    const enter = options.netns === undefined ? null : ['netns', 'exec', options.netns, process.execPath];
    const exec = enter === null ? { execArgv: [] } : { execPath: 'ip', execArgv: enter };
    this.#child = fork(path, [JSON.stringify(options)], exec);
    this.#child.on('message', (message: Event) => {
      if (message.event === 'ready') this.#ready = true;
      else this.#reports.set(message.id, message.report);
    });
  }

  /** Waits until its socket is ready and, unless it begins paused, media goes out. */
  async ready(): Promise<void> {
    await until('the source to be ready', () => this.#ready);
    if (this.options.paused !== true)
      await until('the source to send', async () => (await this.report()).datagrams > 0);
  }

  /** Ends the null packets. */
  begin(): void {
    this.#child.send({ do: 'begin' });
  }

  /** Sends nothing more until `resume`. */
  pause(): void {
    this.#child.send({ do: 'pause' });
  }

  resume(): void {
    this.#child.send({ do: 'resume' });
  }

  /** The encoder starts anew: another SSRC with sequence 0, or a far sequence alone. The media goes on where it was. */
  restart(what: 'ssrc' | 'sequence' = 'ssrc'): void {
    this.#child.send({ do: 'restart', what });
  }

  async report(): Promise<SourceReport> {
    const id = ++this.#asked;
    this.#child.send({ do: 'report', id });
    return await until('the source to report', () => this.#reports.get(id));
  }

  /** Sends nothing more; the report of all that was sent, with the number of the last media packet that was not lost. */
  async finish(): Promise<SourceReport & { last: number }> {
    this.pause();
    const report = await this.report();
    const dropped = new Set(report.dropped);
    let last = report.next - 1;
    while (dropped.has(last)) last -= 1;
    return { ...report, last };
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}

/** Starts a source that ends with its owner. */
export async function startSource(owner: Owner, options: SourceOptions): Promise<Source> {
  const source = new Source(options);
  owner.after(() => source.stop());
  await source.ready();
  return source;
}
