import { messageOf } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import { type Plan, retryDelay } from '../lib/schedule.js';
import type { RefreshCause } from '../model/refresh.js';
import type { Refreshed, RefreshRequest } from './refresh.js';

type Options = {
  readonly source: number;
  readonly plan: Plan;
  /** Does one refresh; never throws but for faults of ours. */
  readonly run: (request: RefreshRequest, signal: AbortSignal) => Promise<Refreshed>;
  /** Is told when the next one comes: epoch seconds. */
  readonly planned: (at: number) => Promise<void>;
  readonly log: Log;
};

/** The longest that a timer of Node can wait, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** One source: refreshed on demand and on time, never twice at once. */
export class SourceTask {
  private readonly options: Options;
  private running: Promise<Refreshed> | null = null;
  /** Asked for while one runs: what that one fetched may be older already. */
  private next: Promise<Refreshed> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private readonly stopping = new AbortController();

  constructor(options: Options) {
    this.options = options;
  }

  /** Asked for again while one runs, it goes once more after that one. */
  refresh(cause: RefreshCause): Promise<Refreshed> {
    if (this.running === null) return this.begin({ source: this.options.source, cause });
    this.next ??= this.running.then(() => {
      this.next = null;
      return this.refresh(cause);
    });
    return this.next;
  }

  /** Does something else with the source, after what runs. */
  async other(request: Omit<RefreshRequest, 'source'>): Promise<Refreshed> {
    while (this.running !== null) await this.running;
    return await this.begin({ ...request, source: this.options.source });
  }

  /** Breaks off what runs. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private begin(request: RefreshRequest): Promise<Refreshed> {
    if (this.stopping.signal.aborted)
      return Promise.resolve({
        state: 'failed',
        reason: 'The source was changed or removed meanwhile, or Weir is stopping.',
        retryAfter: null,
      });
    const running = this.once(request).finally(() => {
      this.running = null;
    });
    this.running = running;
    return running;
  }

  private async once(request: RefreshRequest): Promise<Refreshed> {
    const isPlanned = request.dryRun !== true && request.snapshot === undefined && request.cause !== 'rules';
    if (isPlanned) clearTimeout(this.timer);
    let refreshed: Refreshed;
    try {
      refreshed = await this.options.run(request, this.stopping.signal);
    } catch (error) {
      refreshed = { state: 'failed', reason: messageOf(error), retryAfter: null };
      this.options.log.error({ error: refreshed.reason }, 'playlist not refreshed');
    }
    if (isPlanned && !this.stopping.signal.aborted) await this.planNext(refreshed);
    return refreshed;
  }

  private async planNext(refreshed: Refreshed): Promise<void> {
    const planned = this.options.plan.delay(Date.now());
    this.failures = refreshed.state === 'failed' ? this.failures + 1 : 0;
    const delay = refreshed.state === 'failed' ? retryDelay(this.failures, refreshed.retryAfter, planned) : planned;
    this.timer = setTimeout(() => void this.refresh('schedule'), Math.min(delay * 1000, longestTimer)).unref();
    await this.options.planned(Math.round(Date.now() / 1000 + delay));
  }
}
