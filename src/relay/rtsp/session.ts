import type { FeedWire } from '../feed-frames.js';
import { type Frame, text } from '../frame.js';
import { type Credentials, challenged, spent } from './auth.js';
import { requestText } from './conversation.js';
import { type KeepaliveMethod, keepaliveAfter, keepaliveEvery } from './keepalive.js';
import { answerTo, field, numberOf, type RtspMessage, readHead, statusOf } from './message.js';
import { RtspFault, refusedBy, tooLate } from './reasons.js';

/** What is known of a session that the pump has. */
export type SessionFacts = {
  /** As faults name the server. */
  readonly host: string;
  /** What is named in requests. */
  readonly played: string;
  readonly session: string | null;
  /** Seconds. */
  readonly timeout: number;
  readonly way: 'tcp' | 'udp';
  readonly userAgent: string;
  readonly credentials: Credentials | null;
  readonly method: KeepaliveMethod;
  /** How often it was led on. */
  readonly redirects: number;
};

/** What a session tells whoever watches over it. */
export interface SessionOwner {
  /** Account or method are others now. */
  changed(session: RtspSession): void;
  /** Its server says that nothing more comes, or that it goes on elsewhere. */
  announced(session: RtspSession, what: 'end' | 'moved'): void;
  /** It brings nothing more: a reason of the pump's event `over`. */
  over(session: RtspSession, reason: string): void;
}

type Asked = { readonly number: number; resolve(message: RtspMessage): void; reject(fault: RtspFault): void };
type Fields = readonly (readonly [name: string, value: string])[];

/** Milliseconds that an answer may take. */
const step = 3000;
/** Notices of ANNOUNCE after which media goes on: it stalled, it is there again, it begins. */
const passing: ReadonlySet<number> = new Set([1103, 1104, 2104]);

/** A session of RTSP whose connection is the pump's: what is said on it, and what its server says. */
export class RtspSession {
  readonly wire: FeedWire;
  facts: SessionFacts;
  readonly #owner: SessionOwner;
  readonly #asked: Asked[] = [];
  #ending: string | null = null;

  constructor(wire: FeedWire, facts: SessionFacts, owner: SessionOwner) {
    this.wire = wire;
    this.facts = facts;
    this.#owner = owner;
    wire.listener = (event) => this.#event(event);
  }

  /** Why it brings nothing more; null while it does. */
  get ending(): string | null {
    return this.#ending;
  }

  /** Asks over the pump's connection. @throws RtspFault without an answer in time. */
  async ask(method: string, more: Fields = []): Promise<RtspMessage> {
    const { host } = this.facts;
    const number = await this.wire.say(this.#text(method, more));
    this.#spend();
    return await new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        const index = this.#asked.indexOf(asked);
        if (index >= 0) this.#asked.splice(index, 1);
      };
      const asked: Asked = {
        number,
        resolve: (message) => {
          settle();
          resolve(message);
        },
        reject: (fault) => {
          settle();
          reject(fault);
        },
      };
      const timer = setTimeout(() => asked.reject(tooLate(host, method)), step);
      this.#asked.push(asked);
      if (this.#ending !== null) asked.reject(this.#closed());
    });
  }

  /** Takes what a refused account is asked for. @throws RtspFault when it has nothing more to say. */
  challenge(answer: RtspMessage): void {
    const { credentials, host } = this.facts;
    const next = credentials === null ? null : challenged(credentials, answer.headers.get('www-authenticate') ?? []);
    if (next === null) throw refusedBy(host, '', 401, '');
    this.facts = { ...this.facts, credentials: next };
    this.#owner.changed(this);
  }

  /** Has the pump keep it up from now on. */
  async keep(): Promise<void> {
    const { method, timeout } = this.facts;
    const request = this.#text(method, []);
    this.#spend();
    await this.wire.keep(request, keepaliveEvery(timeout));
  }

  #text(method: string, more: Fields): string {
    const { played, session, credentials, userAgent } = this.facts;
    return requestText(method, { url: played, session, credentials }, userAgent, more);
  }

  #spend(): void {
    const { credentials } = this.facts;
    if (credentials !== null) this.facts = { ...this.facts, credentials: spent(credentials) };
  }

  #closed(): RtspFault {
    return new RtspFault('upstream-refused', `${this.facts.host} closed the connection.`);
  }

  #event(event: Frame): void {
    if (event.name === 'said') this.#said(text(event, 'text'));
    if (event.name !== 'over' || this.#ending !== null) return;
    this.#ending = text(event, 'reason');
    for (const asked of [...this.#asked]) asked.reject(this.#closed());
    this.#owner.over(this, this.#ending);
  }

  #said(head: string): void {
    let message: RtspMessage;
    try {
      message = readHead(head, this.facts.host);
    } catch {
      // Nobody writes a hundred fields to say something.
      return;
    }
    const answer = statusOf(message);
    if (answer === null) {
      this.#serverAsks(message);
      return;
    }
    const number = numberOf(message);
    const asked = number === null ? this.#asked[0] : this.#asked.find((one) => one.number === number);
    if (asked !== undefined) asked.resolve(message);
    else void this.#keepRefused(message, answer.status).catch(() => undefined);
  }

  #serverAsks(message: RtspMessage): void {
    // What cannot be said any more is said to nobody: the pump tells that the connection is gone.
    this.wire.answer(answerTo(message)).catch(() => undefined);
    const what = announcementOf(message);
    if (what !== null) this.#owner.announced(this, what);
  }

  /** What keeps it up was not taken: another method may be, or the account with another nonce or count. */
  async #keepRefused(answer: RtspMessage, status: number): Promise<void> {
    const next = keepaliveAfter(this.facts.method, status);
    if (next !== null) {
      this.facts = { ...this.facts, method: next };
      this.#owner.changed(this);
    } else if (status === 401) {
      this.challenge(answer);
    } else {
      return;
    }
    // The one that was refused kept nothing up.
    await this.ask(this.facts.method);
    await this.keep();
  }
}

/** What a server's own request means for what it sends; null when that goes on. */
function announcementOf(message: RtspMessage): 'end' | 'moved' | null {
  const [method = ''] = message.start.split(' ', 1);
  if (/^REDIRECT$/i.test(method)) return 'moved';
  const notice = /^\d{4}/.exec(field(message, 'x-notice') ?? '')?.[0];
  if (/^SET_PARAMETER$/i.test(method) && notice === undefined) return null;
  if (!/^(?:ANNOUNCE|SET_PARAMETER)$/i.test(method)) return null;
  return notice !== undefined && passing.has(Number(notice)) ? null : 'end';
}
