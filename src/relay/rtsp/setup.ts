import { lookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import type { Conversation } from './conversation.js';
import type { DialogueOptions, PairMaker } from './dialogue.js';
import { field, type RtspMessage, statusOf } from './message.js';
import { RtspFault, refusedBy } from './reasons.js';
import { mappingOf } from './stun.js';
import { type Agreed, type Endpoint, noneTaken, type Offer, readTransport, transports, unliked } from './transport.js';

/** The UDP ports of a session: those that are bound, and what the server is told of them. */
export type Ports = {
  readonly rtp: number;
  readonly rtcp: number;
  readonly told: Endpoint;
  readonly isMapped: boolean;
};

/** Opens a pair once for each address of this machine: whoever is led on goes on with the same one. */
export class PairOpener {
  readonly #maker: PairMaker | null;
  readonly #options: DialogueOptions;
  #opened: { readonly local: string; readonly ports: Ports } | null = null;

  constructor(maker: PairMaker | null, options: DialogueOptions) {
    this.#maker = options.transport === 'tcp' ? null : maker;
    this.#options = options;
  }

  /** Null when media may come by TCP alone, or no ports are left for it. @throws RtspFault when it may not. */
  async open({ connection, host }: Conversation): Promise<Ports | null> {
    const { address } = connection.local;
    if (this.#maker === null || this.#opened?.local === address) return this.#opened?.ports ?? null;
    try {
      const { rtp, rtcp } = await this.#maker.open(address);
      const mapped = await this.#mapping(this.#maker, address);
      const ports: Ports =
        mapped === null
          ? { rtp, rtcp, told: { address, port: rtp }, isMapped: false }
          : { rtp: mapped.port, rtcp: mapped.port + 1, told: mapped, isMapped: true };
      this.#opened = { local: address, ports };
      return ports;
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (this.#options.transport !== 'udp') return null;
      const why = error instanceof Error ? error.message : String(error);
      throw new RtspFault('unavailable', `No UDP ports could be had for ${host}: ${why}`);
    }
  }

  /** Without an answer it goes on as though nobody stood between. */
  async #mapping(maker: PairMaker, local: string): Promise<Endpoint | null> {
    const { nat, signal } = this.#options;
    if (typeof nat === 'string' || !isIPv4(local)) return null;
    try {
      const { address } = await lookup(nat.stun.address, { family: 4 });
      return await mappingOf(maker, { address, port: nat.stun.port }, signal);
    } catch {
      signal.throwIfAborted();
      return null;
    }
  }
}

/** `x-NAT` of DESCRIBE and SETUP: how the server may reach us. Nothing with NAT off, or on IPv6. */
export function natFields(nat: DialogueOptions['nat'], local: Endpoint, ports: Ports | null): [string, string][] {
  if (nat === 'off' || !isIPv4(local.address)) return [];
  const { address, port } = ports?.isMapped === true ? ports.told : local;
  return [['x-NAT', `${address}:${port}`]];
}

/** Sets one section up by the first transport that the server takes. @throws RtspFault when it takes none. */
export async function setUp(
  talk: Conversation,
  track: string,
  ports: Ports | null,
  options: DialogueOptions,
): Promise<Agreed> {
  const { local, peer } = talk.connection;
  const told = options.nat === 'off' || !isIPv4(local.address) ? null : (ports?.told.address ?? null);
  const pair = ports === null ? null : { rtp: ports.rtp, rtcp: ports.rtcp, address: told };
  const offer: Offer = { tcp: options.transport !== 'udp', pair };
  const asked: string[] = [];
  let last = 0;
  for (const transport of transports(offer)) {
    asked.push(transport);
    const answer = await talk.ask('SETUP', track, [['Transport', transport], ...natFields(options.nat, local, ports)]);
    const { status, reason } = statusOf(answer) ?? { status: 0, reason: '' };
    if (status >= 200 && status <= 299) return await agreedBy(answer, transport, talk.host, peer.address, options);
    if (!unliked.has(status)) throw refusedBy(talk.host, 'SETUP', status, reason);
    last = status;
  }
  throw noneTaken(talk.host, asked, last);
}

async function agreedBy(
  answer: RtspMessage,
  asked: string,
  host: string,
  peer: string,
  options: DialogueOptions,
): Promise<Agreed> {
  const agreed = readTransport(field(answer, 'transport'), asked, host);
  if (agreed.way === 'tcp') return agreed;
  const server = agreed.server === null ? null : await senderOf(agreed.server, agreed.rtp ?? 0, options);
  return { ...agreed, server: server === peer ? null : server };
}

/** The address behind a `source=`, which may be a name; null when it is none that may be spoken to: then the peer alone sends. */
async function senderOf(source: string, port: number, options: DialogueOptions): Promise<string | null> {
  const plain = source.replace(/^\[(.*)\]$/, '$1');
  try {
    const [first] = await options.addresses(plain, port, options.signal);
    return first?.address ?? null;
  } catch {
    options.signal.throwIfAborted();
    return null;
  }
}
