import type { HostAddress } from '../../lib/inner-address.js';
import { withPatience } from '../../lib/patience.js';
import type { Credentials } from './auth.js';
import { RtspConnection } from './connection.js';
import { Conversation } from './conversation.js';
import { field, type RtspMessage } from './message.js';
import { type Punch, punchesOf } from './nat.js';
import { failedAt, type RtspFault, tooLate } from './reasons.js';
import { countRedirect, Redirect } from './redirect.js';
import { readSdp, type SdpFacts } from './sdp.js';
import { natFields, PairOpener, setUp } from './setup.js';
import type { Agreed, Endpoint } from './transport.js';
import { placeOf, readAddress, trackAddress } from './url.js';

/** A session that is set up and not yet played. Its socket is Node's until `release()`. */
export type Prepared = {
  /** What PLAY, keepalives and TEARDOWN name: the address that DESCRIBE was asked with, after redirects, without account. */
  readonly url: string;
  readonly session: string | null;
  /** Seconds after which the server gives up a session that is not kept up. */
  readonly timeout: number;
  readonly agreed: Agreed;
  /** As the next request is to use them: each request of ours after this one is `spent`. */
  readonly credentials: Credentials | null;
  /** What the server says that it knows, or null when it did not say. */
  readonly methods: ReadonlySet<string> | null;
  readonly sdp: SdpFacts;
  /** Addresses of the connection. */
  readonly peer: string;
  readonly local: string;
  /** How often it was led on. */
  readonly redirects: number;
  /** What opens the way through a NAT, to be sent from the pair; nothing over TCP. */
  readonly punches: readonly Punch[];
  /** Gives the connection away. `read` was read of it already, `cseq` is the number of the next request. `close` frees Node's copy. */
  release(): { readonly descriptor: number; readonly read: Buffer; close(): void; readonly cseq: number };
  /** When nobody plays it: says TEARDOWN, waits for the answer at most 2 s, closes. It throws nothing, and is to be called once. */
  leave(): Promise<void>;
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
  /** Breaks the dialogue off: what it has is given back, and it fails with a fault that names the step. */
  readonly signal: AbortSignal;
  /** Milliseconds that each step may take. */
  readonly step: number;
  /** Addresses of a host, those that are allowed. */
  readonly addresses: (host: string, port: number, signal: AbortSignal) => Promise<readonly HostAddress[]>;
  /** How often the session was led on already, when a PLAY is what led on; 0 unless said. */
  readonly redirects?: number;
  /** For an address that names no account: those of the address that led on to it. */
  readonly credentials?: Credentials | null;
};

/** Milliseconds that the next address waits for the end of the session before. */
const farewellPatience = 1000;

/** What is known of an address at the end of a step. */
type Told = { readonly url: string; readonly talk: Conversation; readonly redirects: number };

/**
 * Sets a session up: OPTIONS, DESCRIBE, SETUP, on at most five redirects, each with a connection and a session of its own, the one
 * before torn down.
 * @throws RtspFault why not.
 */
export function prepare(url: string, options: DialogueOptions, pair: PairMaker | null): Promise<Prepared> {
  const opener = new PairOpener(pair, options);
  return led(url, options, async (told) => await prepared(told, options, opener));
}

/** Asks OPTIONS and DESCRIBE alone, on redirects as above. @throws RtspFault why not. */
export function describe(url: string, options: DialogueOptions): Promise<SdpFacts> {
  return led(url, options, async ({ url: target, talk }) => {
    const { sdp } = await described(talk, target, natFields(options.nat, talk.connection.local, null));
    void talk.leave(target);
    return sdp;
  });
}

async function led<T>(given: string, options: DialogueOptions, work: (told: Told) => Promise<T>): Promise<T> {
  let credentials = options.credentials ?? null;
  let url = given;
  for (let redirects = options.redirects ?? 0; ; ) {
    const address = readAddress(url);
    const host = placeOf(address);
    // Edges know the account of the dispatcher that led to them, and perhaps its nonce. One of their own goes first.
    if (address.account !== null) credentials = { ...address.account, challenge: null, count: 0 };
    let talk: Conversation | null = null;
    try {
      const connection = await connected(address.host, address.port, options);
      talk = new Conversation(connection, { ...options, host }, credentials);
      return await work({ url: address.target, talk, redirects });
    } catch (error) {
      const leaving = talk?.leave(address.target);
      if (!(error instanceof Redirect)) throw faultOf(error, host, talk?.asked ?? null, options.signal);
      redirects = countRedirect(redirects, host);
      url = error.to;
      // A server that allows one session must have ended this one before it is asked for another.
      if (leaving !== undefined) await withPatience(leaving, farewellPatience);
      credentials = talk?.credentials ?? credentials;
    }
  }
}

/** A dialogue that was broken off has waited too long for what it asked last. */
function faultOf(error: unknown, host: string, asked: string | null, signal: AbortSignal): RtspFault {
  return error === signal.reason ? tooLate(host, asked ?? 'the connection') : failedAt(host, error);
}

async function connected(host: string, port: number, options: DialogueOptions): Promise<RtspConnection> {
  const { signal, step, local } = options;
  const addresses = await options.addresses(host, port, signal);
  return await RtspConnection.open({ host: placeOf({ host, port }), port, addresses, local, step, signal });
}

async function prepared(told: Told, options: DialogueOptions, opener: PairOpener): Promise<Prepared> {
  const { url, talk, redirects } = told;
  const { local, peer } = talk.connection;
  const ports = await opener.open(talk);
  const { sdp, base } = await described(talk, url, natFields(options.nat, local, ports));
  const agreed = await setUp(talk, trackAddress(url, base, sdp.track), ports, options);
  const client = ports?.told ?? local;
  return {
    url,
    session: talk.session,
    timeout: talk.timeout,
    agreed,
    credentials: talk.credentials,
    methods: talk.methods,
    sdp,
    peer: peer.address,
    local: local.address,
    redirects,
    punches: options.nat === 'off' ? [] : punchesOf(agreed, { local, peer, client }),
    release: () => ({ ...talk.connection.release(), cseq: talk.next }),
    leave: () => talk.leave(url),
  };
}

async function described(
  talk: Conversation,
  url: string,
  fields: [string, string][],
): Promise<{ readonly sdp: SdpFacts; readonly base: string | null }> {
  // What it knows is good to know; a server that will not say may still describe.
  talk.methods = methodsOf(await talk.ask('OPTIONS', url));
  const answer = await talk.expect('DESCRIBE', url, [['Accept', 'application/sdp'], ...fields]);
  const base = field(answer, 'content-base') ?? field(answer, 'content-location');
  return { sdp: readSdp(answer.body.toString(), talk.host), base };
}

function methodsOf(answer: RtspMessage): ReadonlySet<string> | null {
  const said = answer.headers.get('public')?.join(',');
  const methods = said?.split(/[\s,]+/).filter((name) => name !== '') ?? [];
  return methods.length === 0 ? null : new Set(methods.map((name) => name.toUpperCase()));
}
