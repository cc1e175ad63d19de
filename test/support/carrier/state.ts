import { rateOf } from './programme.js';
import type { Quirk } from './quirks.js';
import type { CarrierOptions, CarrierRequest, CarrierSession } from './server.js';

export type Writable<T> = { -readonly [K in keyof T]: T[K] };
export type Datagram = { readonly socket: 'rtp' | 'rtcp' | 'stun'; readonly data: Buffer };

/** What all connections of a carrier share. */
export class State {
  readonly options: CarrierOptions;
  readonly host: string;
  readonly requests: CarrierRequest[] = [];
  readonly sessions: Writable<CarrierSession>[] = [];
  readonly datagrams: Datagram[] = [];
  readonly user: string;
  readonly password: string;
  port = 0;
  /** What DESCRIBE was asked for last. */
  described: string | null = null;
  readonly #quirks: ReadonlySet<Quirk>;
  readonly #done = new Set<string>();
  #refused = -1;

  constructor(options: CarrierOptions) {
    this.options = options;
    this.#quirks = new Set(options.quirks ?? []);
    this.host = options.host ?? (this.has('q50') ? '::1' : '127.0.0.1');
    this.user = options.account?.user ?? 'viewer';
    this.password = options.account?.password ?? 's3cret';
  }

  /** Whether it has one of these. */
  has(...quirks: Quirk[]): boolean {
    return quirks.some((quirk) => this.#quirks.has(quirk));
  }

  /** True the first time that it is asked. */
  first(what: string): boolean {
    if (this.#done.has(what)) return false;
    this.#done.add(what);
    return true;
  }

  /** What GET_PARAMETER is refused with, in turns. */
  refusal(): number {
    this.#refused += 1;
    return [454, 501, 405][this.#refused % 3] ?? 454;
  }

  get asksForPassword(): boolean {
    return this.has('q22', 'q23', 'q24', 'q25') || this.options.account !== undefined;
  }

  /** `127.0.0.1:554`, `[::1]:554`. */
  get authority(): string {
    return `${this.host.includes(':') ? `[${this.host}]` : this.host}:${this.port}`;
  }

  /** Packets of TS a second. */
  get rate(): number {
    const { rate, recording } = this.options;
    return rate ?? (recording === undefined ? 500 : rateOf(recording));
  }

  /** Seconds of media that there are; null when there is no end. */
  get length(): number | null {
    return this.options.length ?? (this.has('q37', 'q48') ? 2 : null);
  }

  get live(): number {
    return this.sessions.filter(({ end }) => end === null).length;
  }
}
