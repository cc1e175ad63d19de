import { authorization, type Credentials, challenged, spent, strongest } from './auth.js';
import type { RtspConnection } from './connection.js';
import { field, type RtspMessage, statusOf } from './message.js';
import { RtspFault, refusedBy } from './reasons.js';
import { Redirect, redirectOf } from './redirect.js';

/** What a request of a session is made of. */
export type Spoken = {
  readonly url: string;
  readonly session: string | null;
  readonly credentials: Credentials | null;
};
type Fields = readonly (readonly [name: string, value: string])[];

type Terms = {
  /** As faults name the server. */
  readonly host: string;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** Milliseconds that each step may take. */
  readonly step: number;
};

/** Milliseconds that a farewell may take. */
const farewellPatience = 2000;
/** Seconds that a session lasts of which the server does not say (RFC 2326 §12.37). */
const defaultTimeout = 60;
const mostStale = 3;

/** One request of a session that is the pump's: without CSeq and without the empty line. */
export function requestText(method: string, of: Spoken, userAgent: string, more: Fields = []): string {
  const fields: Fields = [
    ['User-Agent', userAgent],
    ...(of.session === null ? [] : ([['Session', of.session]] as const)),
    ...(of.credentials === null ? [] : ([['Authorization', authorization(of.credentials, method, of.url)]] as const)),
    ...more,
  ];
  // A line end in a value would begin a field of its own.
  const lines = fields.map(([name, value]) => `${name}: ${value.replace(/\p{Cc}/gu, '')}\r\n`);
  return `${method} ${of.url} RTSP/1.0\r\n${lines.join('')}`;
}

/** Requests and answers over one connection, with the number, the session and the account that go along. */
export class Conversation {
  readonly connection: RtspConnection;
  /** What the server says that it knows, or null when it did not say. */
  methods: ReadonlySet<string> | null = null;
  /** Seconds. */
  timeout = defaultTimeout;
  session: string | null = null;
  credentials: Credentials | null;
  /** The method that was asked last, but for the farewell. */
  asked = 'the connection';
  readonly #terms: Terms;
  #number = 0;

  constructor(connection: RtspConnection, terms: Terms, credentials: Credentials | null) {
    this.connection = connection;
    this.#terms = terms;
    this.credentials = credentials;
  }

  get host(): string {
    return this.#terms.host;
  }

  /** The number of the next request. */
  get next(): number {
    return this.#number + 1;
  }

  /**
   * Asks, and sees to passwords: two refusals of the account are the end.
   * @throws RtspFault without an answer; Redirect when the answer leads on.
   */
  async ask(method: string, url: string, more: Fields = []): Promise<RtspMessage> {
    let refusals = 0;
    for (let count = 0; count < mostStale + 2; count += 1) {
      const answer = await this.#once(method, url, more);
      if (statusOf(answer)?.status !== 401) return this.#heard(answer, url);
      const isStale = this.#challenge(answer);
      if (!isStale) refusals += 1;
      if (refusals > 1) break;
    }
    throw refusedBy(this.host, method, 401, '');
  }

  /** Asks, and takes nothing but success. */
  async expect(method: string, url: string, more: Fields = []): Promise<RtspMessage> {
    const answer = await this.ask(method, url, more);
    const { status, reason } = statusOf(answer) ?? { status: 0, reason: '' };
    if (status >= 200 && status <= 299) return answer;
    throw refusedBy(this.host, method, status, reason);
  }

  /** Says goodbye where there is a session, waits for the answer for at most 2 s, and closes. It throws nothing. */
  async leave(url: string): Promise<void> {
    try {
      if (this.session === null) return;
      await this.#say('TEARDOWN', url, [], farewellPatience, new AbortController().signal);
    } catch {
      // It was the last that was said: nobody is left to be told.
    } finally {
      this.connection.close();
    }
  }

  #once(method: string, url: string, more: Fields): Promise<RtspMessage> {
    this.asked = method;
    return this.#say(method, url, more, this.#terms.step, this.#terms.signal);
  }

  #say(method: string, url: string, more: Fields, step: number, signal: AbortSignal): Promise<RtspMessage> {
    this.#number += 1;
    const text = requestText(
      method,
      { url, session: this.session, credentials: this.credentials },
      this.#terms.userAgent,
      more,
    );
    if (this.credentials !== null) this.credentials = spent(this.credentials);
    return this.connection.ask(`${text}CSeq: ${this.#number}\r\n\r\n`, this.#number, method, step, signal);
  }

  /** Session and timeout come with whichever answer first has them (RFC 2326 §12.37). */
  #heard(answer: RtspMessage, url: string): RtspMessage {
    const [id = '', ...parameters] = (field(answer, 'session') ?? '').split(';').map((part) => part.trim());
    if (id !== '') this.session = id;
    for (const parameter of parameters) {
      const seconds = /^timeout\s*=\s*(\d{1,6})/i.exec(parameter)?.[1];
      if (seconds !== undefined && Number(seconds) > 0) this.timeout = Number(seconds);
    }
    const to = redirectOf(answer, url, this.host);
    if (to !== null) throw new Redirect(to);
    return answer;
  }

  /** Takes what the server asks for. True when only the nonce was too old. */
  #challenge(answer: RtspMessage): boolean {
    const before = this.credentials;
    if (before === null) {
      const fix = 'write rtsp://user:password@host/… in the list';
      throw new RtspFault('upstream-refused', `${this.host} wants a user and a password (401): ${fix}.`, 401);
    }
    const values = answer.headers.get('www-authenticate') ?? [];
    const after = challenged(before, values);
    if (after === null && strongest(values) === null) {
      throw new RtspFault(
        'upstream-refused',
        `${this.host} wants a kind of password that Weir does not know (401).`,
        401,
      );
    }
    if (after === null) throw refusedBy(this.host, '', 401, '');
    this.credentials = after;
    return after.challenge?.stale === true && before.challenge !== null;
  }
}
