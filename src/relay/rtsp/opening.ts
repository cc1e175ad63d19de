import { type FeedEvents, FeedWire } from '../feed-frames.js';
import { text as textOf } from '../frame.js';
import type { PumpLink } from '../pump-link.js';
import type { Credentials } from './auth.js';
import { requestText } from './conversation.js';
import { type DialogueOptions, type PairMaker, type Prepared, prepare } from './dialogue.js';
import { keepaliveEvery, keepaliveMethod } from './keepalive.js';
import { statusOf } from './message.js';
import { refusedBy } from './reasons.js';
import { countRedirect, redirectOf } from './redirect.js';
import { RtspSession, type SessionOwner } from './session.js';
import { placeOf, readAddress } from './url.js';

/** What a session is opened with. */
export type Order = {
  readonly link: PumpLink;
  readonly events: FeedEvents;
  readonly owner: SessionOwner;
  readonly stream: string;
  readonly url: string;
  /** Range of PLAY, or null for all there is. */
  readonly range: string | null;
  readonly dialogue: DialogueOptions;
  /** Interface of the pair, or null. */
  readonly interface: string | null;
  /** The first and the last port for pairs. */
  readonly ports: { readonly least: number; readonly most: number };
  /** The note of the stream, once a session is known. */
  readonly note: (session: RtspSession) => string;
};

type Beginning = { readonly url: string; readonly redirects: number; readonly credentials: Credentials | null };

/** Milliseconds that the farewell of a session is waited for before the next. */
const farewellPatience = 1000;
const punchTimes = 3;
/** A farewell is written when the session begins. Servers that count uses of a nonce take any that they have not seen. */
const farewellCount = 0x10_0000;
const mostChallenges = 4;

/**
 * Opens a session and plays it: set up by Node, handed over, asked to play by way of the pump, which keeps it up.
 * @throws RtspFault or WeirError why not; then nothing is left of it.
 */
export async function openSession(order: Order): Promise<RtspSession> {
  let from: Beginning = { url: order.url, redirects: 0, credentials: null };
  for (;;) {
    const session = await handedOver(order, from);
    try {
      order.dialogue.signal.throwIfAborted();
      const next = await played(session, order);
      if (next === null) {
        await session.keep();
        return session;
      }
      from = next;
    } catch (error) {
      await leave(session);
      throw error;
    }
    await leave(session);
  }
}

/** Ends a session alone; the stream stays. Resolves once its farewell is over, after 1 s at the latest. */
export async function leave(session: RtspSession): Promise<void> {
  await session.wire.part(farewellPatience).catch(() => false);
  session.wire.close();
}

async function handedOver(order: Order, from: Beginning): Promise<RtspSession> {
  const wire = new FeedWire(order.link, order.stream, order.events);
  let prepared: Prepared | null = null;
  try {
    const { redirects, credentials } = from;
    prepared = await prepare(from.url, { ...order.dialogue, redirects, credentials }, pairOf(wire, order));
    const session = new RtspSession(wire, factsOf(prepared, order.dialogue.userAgent), order.owner);
    const { descriptor, read, cseq, close } = prepared.release();
    await wire.hand(
      { cseq, read, farewell: farewellOf(session), note: order.note(session), way: wayOf(prepared) },
      descriptor,
    );
    close();
    for (const { socket, to, data } of prepared.punches) {
      await wire.punch({ socket, ...to, data, times: punchTimes, every: keepaliveEvery(prepared.timeout) });
    }
    return session;
  } catch (error) {
    wire.close();
    void prepared?.leave();
    throw error;
  }
}

/** Null once it plays, else where it is led on to. */
async function played(session: RtspSession, order: Order): Promise<Beginning | null> {
  const { host, redirects } = session.facts;
  for (let challenges = 0; ; challenges += 1) {
    const answer = await session.ask('PLAY', [['Range', order.range ?? 'npt=0.000-']]);
    const { status, reason } = statusOf(answer) ?? { status: 0, reason: '' };
    if (status >= 200 && status <= 299) return null;
    if (status === 401 && challenges < mostChallenges) {
      session.challenge(answer);
      continue;
    }
    const to = redirectOf(answer, session.facts.played, host);
    if (to === null) throw refusedBy(host, 'PLAY', status, reason);
    return { url: to, redirects: countRedirect(redirects, host), credentials: session.facts.credentials };
  }
}

function factsOf(prepared: Prepared, userAgent: string): RtspSession['facts'] {
  return {
    host: placeOf(readAddress(prepared.url)),
    played: prepared.url,
    session: prepared.session,
    timeout: prepared.timeout,
    way: prepared.agreed.way,
    userAgent,
    credentials: prepared.credentials,
    method: keepaliveMethod(prepared.methods),
    redirects: prepared.redirects,
  };
}

/** What is said when the session ends, whoever ends it; without CSeq and empty line. */
function farewellOf({ facts }: RtspSession): string {
  const { played: url, session, credentials, userAgent } = facts;
  const later = credentials === null ? null : { ...credentials, count: credentials.count + farewellCount };
  return requestText('TEARDOWN', { url, session, credentials: later }, userAgent);
}

function wayOf({ agreed, peer }: Prepared) {
  if (agreed.way === 'tcp') return { kind: 'tcp', media: agreed.media, control: agreed.control } as const;
  const from = agreed.server === null ? [peer] : [agreed.server, peer];
  return { kind: 'udp', from, rtp: agreed.rtp ?? 0, rtcp: agreed.rtcp ?? 0 } as const;
}

/** The sockets of a session, which are the pump's from the beginning. */
function pairOf(wire: FeedWire, order: Order): PairMaker | null {
  if (order.dialogue.transport === 'tcp') return null;
  const { least, most } = order.ports;
  return {
    open: (local) => wire.pair(local, order.interface, least, most),
    send: (socket, to, data) => wire.punch({ socket, ...to, data, times: 1, every: 0 }),
    next: async (signal) => {
      const event = await wire.next(['datagram'], 2000);
      signal.throwIfAborted();
      if (event === null) throw new Error('Nothing came.');
      const from = { address: textOf(event, 'address'), port: Number(textOf(event, 'port')) };
      return { from, data: Buffer.from(textOf(event, 'data'), 'base64url') };
    },
  };
}
