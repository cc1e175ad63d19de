import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import { type Frame, number } from './frame.js';
import type { PumpLink, Reply } from './pump-link.js';
import { findPump, otherVersions, protocol, pumpPrefix, startPump } from './pump-process.js';

export type PumpsOptions = {
  readonly dir: string;
  readonly log: Log;
  /** A pump was found or started; `hello` has the streams and viewers it already has, `before` is the link to it that broke. */
  readonly onHello: (link: PumpLink, hello: Reply, before: PumpLink | null) => void;
  readonly onEvent: (event: Frame) => void;
  /** A pump has ended, and with it its viewers. */
  readonly onGone: (link: PumpLink) => void;
};

/** How long a pump may take to end when it was asked to, in milliseconds. */
const stopLimit = 2000;
/** How long a request waits for a pump that is being started, in milliseconds. */
const startPatience = 2000;
/** Milliseconds until a pump that could not be started is tried again. */
const restartPause = 500;

/** The pumps of a data directory: the one in use, and older ones that drain. */
export class Pumps {
  readonly #options: PumpsOptions;
  /** Keyed by link: the pump's process id. */
  readonly #links = new Map<PumpLink, number>();
  readonly #changes = new EventEmitter();
  #current: PumpLink | null = null;
  /** The link that broke, until it is known whether its pump lives. */
  #broken: PumpLink | null = null;
  #leaving = false;
  #restart: NodeJS.Timeout | null = null;

  constructor(options: PumpsOptions) {
    this.#options = options;
  }

  /** Adopts the pump that runs, or starts one. @throws WeirError `unavailable` when there is none to be had. */
  async start(): Promise<void> {
    await this.#enter();
    for (const version of otherVersions(this.#options.dir)) await this.#drain(version);
  }

  /** Ends every pump, and with them every stream. */
  async stop(): Promise<void> {
    this.#leave();
    await Promise.all([...this.#links].map(([link, pid]) => stopPump(link, pid)));
    this.leave();
  }

  /** Leaves the pumps running for the next start. */
  leave(): void {
    this.#leave();
    for (const link of this.#links.keys()) link.close();
  }

  /** The pump that takes new requests; waits a little while it is being started. @throws WeirError `unavailable`. */
  async current(): Promise<PumpLink> {
    if (this.#current === null && !this.#leaving) {
      await once(this.#changes, 'entered', { signal: AbortSignal.timeout(startPatience) }).catch(() => undefined);
    }
    if (this.#current !== null) return this.#current;
    throw new WeirError('unavailable', 'The pump is being started. Try again.', { retryAfter: 1 });
  }

  all(): PumpLink[] {
    return [...this.#links.keys()];
  }

  #leave(): void {
    this.#leaving = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
  }

  async #enter(): Promise<void> {
    const options = this.#linkOptions(protocol);
    let link = await findPump(options);
    if (link === null) {
      this.#buryBroken();
      link = await startPump(this.#options.dir, options);
    }
    await this.#hello(link, this.#broken);
    this.#broken = null;
    this.#current = link;
    this.#changes.emit('entered');
  }

  #buryBroken(): void {
    if (this.#broken !== null) this.#options.onGone(this.#broken);
    this.#broken = null;
  }

  /** A pump of another version keeps its viewers and takes no new ones. */
  async #drain(version: number): Promise<void> {
    const link = await findPump(this.#linkOptions(version));
    if (link === null) return;
    try {
      await this.#hello(link, null);
      await link.request('drain');
      this.#options.log.info({ version, pid: this.#links.get(link) }, 'a pump of another version drains');
    } catch (error) {
      link.close();
      this.#options.log.warn({ version, error: messageOf(error) }, 'a pump of another version does not answer');
    }
  }

  async #hello(link: PumpLink, before: PumpLink | null): Promise<void> {
    const hello = await link.request('hello', { version: protocol });
    this.#links.set(link, number(hello.end, 'pid'));
    this.#options.onHello(link, hello, before);
  }

  #linkOptions(version: number) {
    return {
      prefix: pumpPrefix(this.#options.dir, version),
      onEvent: (event: Frame) => this.#options.onEvent(event),
      onClosed: (link: PumpLink) => this.#gone(link),
    };
  }

  #gone(link: PumpLink): void {
    this.#links.delete(link);
    if (this.#leaving) return;
    if (link !== this.#current) {
      this.#options.onGone(link);
      return;
    }
    this.#current = null;
    this.#broken = link;
    this.#options.log.error('the link to the pump broke; joining it again or starting a new one');
    this.#tryAgain(0);
  }

  #tryAgain(pause: number): void {
    this.#restart = setTimeout(() => {
      this.#restart = null;
      this.#enter().catch((error: unknown) => {
        this.#options.log.error({ error: messageOf(error) }, 'no pump; trying again');
        if (!this.#leaving) this.#tryAgain(restartPause);
      });
    }, pause);
  }
}

/** Asks a pump to end, and ends it when it does not. */
async function stopPump(link: PumpLink, pid: number): Promise<void> {
  await link.request('stop').catch(() => undefined);
  const deadline = Date.now() + stopLimit;
  while (isAlive(pid) && Date.now() < deadline) await wait(5);
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
