import { messageOf } from './errors.js';
import type { Log } from './log.js';
import { type Plan, retryDelay } from './schedule.js';

/** Seconds that the server asked to wait, or null. */
export type Failed = { readonly state: 'failed'; readonly reason: string; readonly retryAfter: number | null };

type Options<Cause, Other, Done> = {
  readonly plan: Plan;
  /** Does one refresh, or something else; never throws but for faults of ours. */
  readonly run: (what: Cause | Other, signal: AbortSignal) => Promise<Done | Failed>;
  /** Of a refresh that comes by schedule. */
  readonly scheduled: Cause;
  /** Is told when the next one comes: epoch seconds. */
  readonly planned: (at: number) => Promise<void>;
  /** What the log says of a fault of ours. */
  readonly failure: string;
  readonly log: Log;
};

/** The longest that a timer of Node can wait, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** One source: refreshed on demand and on time, never twice at once. */
export class SourceTask<Cause, Other, Done extends { readonly state: string }> {
  private readonly options: Options<Cause, Other, Done>;
  private running: Promise<Done | Failed> | null = null;
  /** Asked for while one runs: what that one fetched may be older already. */
  private next: Promise<Done | Failed> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private readonly stopping = new AbortController();

  constructor(options: Options<Cause, Other, Done>) {
    this.options = options;
  }

  /** Asked for again while one runs, it goes once more after that one. */
  refresh(cause: Cause): Promise<Done | Failed> {
    if (this.running === null) return this.begin(() => this.planned(cause));
    this.next ??= this.running.then(() => {
      this.next = null;
      return this.refresh(cause);
    });
    return this.next;
  }

  /** Does something else with the source, after what runs; its schedule stays as it is. */
  async other(what: Other): Promise<Done | Failed> {
    while (this.running !== null) await this.running;
    return await this.begin(() => this.once(what));
  }

  /** Breaks off what runs. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private begin(work: () => Promise<Done | Failed>): Promise<Done | Failed> {
    if (this.stopping.signal.aborted)
      return Promise.resolve({
        state: 'failed',
        reason: 'The source was changed or removed meanwhile, or Weir is stopping.',
        retryAfter: null,
      });
    const running = work().finally(() => {
      this.running = null;
    });
    this.running = running;
    return running;
  }

  private async planned(cause: Cause): Promise<Done | Failed> {
    clearTimeout(this.timer);
    const done = await this.once(cause);
    if (!this.stopping.signal.aborted) await this.planNext(done);
    return done;
  }

  private async once(what: Cause | Other): Promise<Done | Failed> {
    try {
      return await this.options.run(what, this.stopping.signal);
    } catch (error) {
      const reason = messageOf(error);
      this.options.log.error({ error: reason }, this.options.failure);
      return { state: 'failed', reason, retryAfter: null };
    }
  }

  private async planNext(done: Done | Failed): Promise<void> {
    const planned = this.options.plan.delay(Date.now());
    const failed = isFailed(done) ? done : null;
    this.failures = failed === null ? 0 : this.failures + 1;
    const delay = failed === null ? planned : retryDelay(this.failures, failed.retryAfter, planned);
    const again = () => void this.refresh(this.options.scheduled);
    this.timer = setTimeout(again, Math.min(delay * 1000, longestTimer)).unref();
    await this.options.planned(Math.round(Date.now() / 1000 + delay));
  }
}

function isFailed(done: { readonly state: string }): done is Failed {
  return done.state === 'failed';
}
