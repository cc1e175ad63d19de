import type { HostAddress } from '../../lib/inner-address.js';
import type { Credentials } from './auth.js';
import type { SdpFacts } from './sdp.js';
import type { Agreed, Endpoint } from './transport.js';

/** A session that is set up and not yet played. Its socket is Node's until `release()`. */
export type Prepared = {
  /** What PLAY, keepalives and TEARDOWN name: the address that DESCRIBE was asked with, after redirects, without account. */
  readonly url: string;
  readonly session: string | null;
  /** Seconds after which the server gives up a session that is not kept up. */
  readonly timeout: number;
  readonly agreed: Agreed;
  readonly credentials: Credentials | null;
  /** What the server says that it knows, or null when it did not say. */
  readonly methods: ReadonlySet<string> | null;
  readonly sdp: SdpFacts;
  /** Addresses of the connection. */
  readonly peer: string;
  readonly local: string;
  /** How often it was led on. */
  readonly redirects: number;
  /** Gives the connection away. `read` was read of it already, `cseq` is the number of the next request. `close` frees Node's copy. */
  release(): { readonly descriptor: number; readonly read: Buffer; close(): void; readonly cseq: number };
};

/** Makes the UDP sockets of a session, which are the pump's. */
export interface PairMaker {
  /** On the address of this machine that the server is reached from. */
  open(local: string): Promise<{ readonly rtp: number; readonly rtcp: number }>;
  send(socket: 'rtp' | 'rtcp', to: Endpoint, data: Buffer): Promise<void>;
  /** The next STUN answer. */
  next(signal: AbortSignal): Promise<{ readonly from: Endpoint; readonly data: Buffer }>;
}

export type DialogueOptions = {
  readonly userAgent: string;
  /** Address of this machine that connections are made from, or null for the kernel's choice. */
  readonly local: string | null;
  readonly transport: 'auto' | 'tcp' | 'udp';
  readonly nat: 'auto' | 'off' | { readonly stun: Endpoint };
  readonly signal: AbortSignal;
  /** Milliseconds that each step may take. */
  readonly step: number;
  /** Addresses of a host, those that are allowed. */
  readonly addresses: (host: string, port: number, signal: AbortSignal) => Promise<readonly HostAddress[]>;
};

/**
 * Sets a session up: OPTIONS, DESCRIBE, SETUP, on at most five redirects, each with a connection and a session of its own, the one
 * before torn down.
 * @throws RtspFault why not.
 */
export declare function prepare(url: string, options: DialogueOptions, pair: PairMaker | null): Promise<Prepared>;

/** One request of a session that is the pump's: without CSeq and without the empty line. */
export declare function requestText(
  method: string,
  of: Pick<Prepared, 'url' | 'session' | 'credentials'>,
  userAgent: string,
  more?: readonly (readonly [name: string, value: string])[],
): string;
