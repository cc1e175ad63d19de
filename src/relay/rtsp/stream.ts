import { messageOf, WeirError } from '../../lib/errors.js';
import { withPatience } from '../../lib/patience.js';
import { type Frame, text } from '../frame.js';
import { type PumpLink, PumpRefusal } from '../pump-link.js';
import { streamStatus } from '../status.js';
import type { Beside } from './beside.js';
import type { DialogueOptions } from './dialogue.js';
import { sayFarewell } from './farewell.js';
import { openSession } from './opening.js';
import { addressOf, reachable } from './reach.js';
import { brokenOff, failedAt, noneLeft, RtspFault, tooLate } from './reasons.js';
import { type NextStep, nextStep } from './reopen.js';
import type { RtspSession, SessionOwner } from './session.js';
import { placeOf, readAddress } from './url.js';
import { noteOf, type Wanted } from './wanted.js';

/** Milliseconds that a session may take until it plays, and each step of it. */
const wholePatience = 8000;
const step = 3000;
/** Milliseconds that the pump does not count silence while a session is opened again. */
const reopenPatience = 10_000;
/** Milliseconds that the farewell of the session before is waited for, and that of one that has ended. */
const partPatience = 1000;
const endPatience = 2500;

/** A stream of RTSP: its session, and those that take its place when it stops. */
export class RtspStream implements SessionOwner {
  readonly id: string;
  readonly link: PumpLink;
  readonly wanted: Wanted;
  /** When it was opened, in milliseconds. */
  readonly since = Date.now();
  /** Resolves when it has ended and its session's farewell is over. */
  readonly gone: Promise<void>;
  /** Seconds of the plan before its first byte. */
  readonly skipped: number;
  /** Seconds of its media that were taken when a viewer left. */
  played = 0;
  /** Why there is no session; then it is being closed. */
  failure: WeirError | null = null;
  session: RtspSession | null = null;
  readonly #beside: Beside;
  #settleGone = () => {};
  #hasEnded = false;
  #isDeciding = false;
  /** Of the session that is on its way. */
  #opening: AbortController | null = null;
  /** When a session took the place of one that stopped; null before the first. */
  #reopened: number | null = null;
  #byTcp = false;

  constructor(id: string, link: PumpLink, wanted: Wanted, beside: Beside, skipped = 0) {
    this.id = id;
    this.link = link;
    this.wanted = wanted;
    this.skipped = skipped;
    this.#beside = beside;
    this.gone = new Promise((resolve) => {
      this.#settleGone = resolve;
    });
  }

  /** Whether the pump has it no more. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Host and port that were named. */
  get place(): string {
    return placeOf(readAddress(this.wanted.url));
  }

  /** What counts for the provider: host, port and user. */
  get account(): string {
    return `${readAddress(this.wanted.url).account?.user ?? ''}@${this.place}`;
  }

  /** What the pump keeps of it, with what is known of a session. */
  note(session: RtspSession | null): string {
    return noteOf(this.wanted, this.skipped, session);
  }

  /** Sees to it that a session is there or on its way. */
  start(): void {
    const isThere = this.session !== null && this.session.ending === null;
    if (!isThere && this.#opening === null && this.failure === null && !this.#hasEnded) void this.#open();
  }

  /** Has the pump end it; with `drain` its viewers get what is there first. */
  async close(reason: string, drain = false): Promise<void> {
    try {
      await this.link.request('close', { stream: this.id, reason, drain: drain ? 1 : null });
    } catch (error) {
      if (!(error instanceof PumpRefusal)) this.#beside.log.debug({ error: messageOf(error) }, 'stream not closed');
    }
  }

  /** The pump has ended it, or is gone itself; `forgotten` is one that goes on and is known anew. */
  ended(how: Frame | 'pump-gone' | 'forgotten'): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#opening?.abort(new WeirError('unavailable', 'The stream ended while its session was opened.'));
    void this.#lastWords(how)
      .catch(() => undefined)
      .finally(() => {
        this.session?.wire.close();
        this.#settleGone();
      });
  }

  /** The pump has heard nothing for a while. */
  silent(): void {
    void this.#stopped('silent');
  }

  // SessionOwner

  changed(session: RtspSession): void {
    session.wire.note(this.note(session)).catch(() => undefined);
  }

  announced(session: RtspSession, what: 'end' | 'moved'): void {
    if (session === this.session) void this.#stopped(what);
  }

  over(session: RtspSession, reason: string): void {
    if (session === this.session) void this.#stopped(reason);
  }

  async #open(): Promise<void> {
    const opening = new AbortController();
    const timer = setTimeout(() => opening.abort(tooLate(this.place, 'what sets a session up')), wholePatience);
    this.#opening = opening;
    try {
      if (this.session !== null) await this.#leaveSession(this.session);
      await this.#beside.settle(this);
      await this.#opened(opening.signal);
    } catch (error) {
      await this.#failed(error);
    } finally {
      clearTimeout(timer);
      this.#opening = null;
    }
    // It may have stopped while it was being opened.
    if (this.session?.ending != null) await this.#stopped(this.session.ending);
  }

  async #opened(signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const session = await this.#withRoom(signal);
    this.session = session;
    if (session.facts.credentials !== null) this.changed(session);
    const { host, way, redirects } = session.facts;
    const fields = { stream: this.id, host, way, redirects, ms: Math.round(performance.now() - began) };
    this.#beside.log.info(fields, this.#reopened === null ? 'session opened' : 'session opened again');
  }

  /** Opens a session, at the limit of its provider in place of another that may go. */
  async #withRoom(signal: AbortSignal): Promise<RtspSession> {
    const { sessions } = this.wanted;
    const others = this.#beside.others(this);
    if (sessions !== null && others >= sessions && !(await this.#beside.makeRoom(this))) throw this.#limit(null);
    try {
      return await this.#session(signal);
    } catch (error) {
      if (!this.#isLimit(error)) throw error;
      if (!(await this.#beside.makeRoom(this))) throw this.#limit(error.status);
      return await this.#session(signal);
    }
  }

  #isLimit(error: unknown): error is RtspFault {
    if (!(error instanceof RtspFault) || error.status === null) return false;
    return noneLeft.has(error.status) || (error.status === 403 && this.#beside.hasJustLeft(this));
  }

  #limit(status: number | null): RtspFault {
    const others = this.#beside.others(this);
    const used = others === 0 ? 'none of them is in use here' : `${others} in use here, all of them watched by others`;
    const said = status === null ? '' : ` (${status})`;
    return new RtspFault('limit-reached', `${this.place} allows no more sessions${said}: ${used}.`, status, {
      retryAfter: 5,
    });
  }

  async #session(signal: AbortSignal): Promise<RtspSession> {
    const { url, range } = await this.#place();
    const { ports } = this.#beside.settings;
    const { interface: name } = this.wanted;
    const { link, id: stream } = this;
    const { events } = this.#beside;
    const note = (session: RtspSession) => this.note(session);
    const dialogue = this.#dialogue(signal);
    return await openSession({ link, events, owner: this, stream, url, range, dialogue, interface: name, ports, note });
  }

  /** Where the next session begins. */
  async #place(): Promise<{ readonly url: string; readonly range: string | null }> {
    const { url, archive } = this.wanted;
    if (archive === null) return { url, range: null };
    const seconds = Math.floor(this.skipped + (this.session === null ? 0 : ((await this.#status())?.media ?? 0)));
    if (seconds === 0) return { url, range: archive.range };
    const place = await archive.from(seconds);
    if (place !== null) return place;
    throw new RtspFault('unavailable', `The archive at ${this.place} cannot be gone on with: ask for it anew.`);
  }

  #dialogue(signal: AbortSignal): DialogueOptions {
    const { transport, nat, ownPorts } = this.#beside.settings;
    const { userAgent, inner, interface: name } = this.wanted;
    const way = this.#byTcp ? 'tcp' : transport;
    const local = addressOf(name);
    return { userAgent, local, transport: way, nat, signal, step, addresses: reachable({ inner, ownPorts }) };
  }

  async #failed(error: unknown): Promise<void> {
    if (this.#hasEnded) return;
    this.failure = failedAt(this.place, error);
    const isLater = this.session !== null;
    this.#beside.log.warn({ stream: this.id, reason: this.failure.message }, 'no session');
    await this.close(isLater ? 'upstream-gone' : 'refused', isLater && this.wanted.archive !== null);
  }

  async #leaveSession(session: RtspSession): Promise<void> {
    const written = await session.wire.part(partPatience).catch(() => false);
    session.wire.close();
    if (!written)
      await withPatience(
        this.#farewell().catch(() => undefined),
        partPatience,
      );
  }

  /** What is left to be said of a session: the pump says it, or could not. */
  async #lastWords(how: Frame | 'pump-gone' | 'forgotten'): Promise<void> {
    const parted = how === 'pump-gone' ? '0' : how === 'forgotten' ? '' : text(how, 'parted');
    if (parted === '0') await this.#farewell();
    if (parted === '1') await this.session?.wire.next(['parted'], endPatience);
  }

  /** Ends the session over another connection. @throws RtspFault when its interface has no address any more. */
  async #farewell(): Promise<void> {
    const { session } = this;
    const dialogue = session === null ? null : this.#dialogue(new AbortController().signal);
    if (session !== null && dialogue !== null) await sayFarewell(session.facts, dialogue);
  }

  async #status() {
    const { rows } = await this.link.request('stats', { stream: this.id });
    const row = rows.find(({ name }) => name === 'stream');
    return row === undefined ? null : streamStatus(row);
  }

  /** Its session brings nothing more, or nothing for a while. */
  async #stopped(why: string): Promise<void> {
    if (this.#isDeciding || this.#opening !== null || this.#hasEnded || this.failure !== null) return;
    this.#isDeciding = true;
    try {
      const next = await this.#next(why);
      this.#beside.log.info({ stream: this.id, host: this.place, why, next }, 'session stopped');
      await this.#take(next, why);
    } catch (error) {
      if (!this.#hasEnded) this.#beside.log.debug({ error: messageOf(error) }, 'session not looked at');
    } finally {
      this.#isDeciding = false;
    }
  }

  async #next(why: string): Promise<NextStep> {
    const status = await this.#status();
    const { session } = this;
    if (status === null || session === null) return 'wait';
    const { archive } = this.wanted;
    return nextStep({
      why,
      hasMedia: status.bytes > 0,
      viewers: status.viewers,
      way: session.facts.way,
      mayTryTcp: this.#beside.settings.transport === 'auto' && !this.#byTcp,
      sinceReopened: this.#reopened === null ? null : (Date.now() - this.#reopened) / 1000,
      archive:
        archive === null
          ? null
          : { played: archive.kept.start + this.skipped + (status.media ?? status.uptime), end: archive.kept.end },
    });
  }

  async #take(next: NextStep, why: string): Promise<void> {
    if (next === 'finish') await this.close('finished', true);
    if (next === 'refuse') this.failure = brokenOff(this.place, why);
    if (next === 'refuse' || next === 'give-up') await this.close('upstream-gone', this.wanted.archive !== null);
    if (next !== 'again' && next !== 'by-tcp') return;
    this.#byTcp = this.#byTcp || next === 'by-tcp';
    this.#reopened = Date.now();
    await this.link.request('await', { stream: this.id, within: reopenPatience });
    void this.#open();
  }
}
