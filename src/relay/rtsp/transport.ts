import { RtspFault, shown } from './reasons.js';

export type Endpoint = { readonly address: string; readonly port: number };

/** How media may come. */
export type Offer = {
  readonly tcp: boolean;
  /** Ports that are bound; `address` is what the server is told of them, where that helps it through a NAT. */
  readonly pair: { readonly rtp: number; readonly rtcp: number; readonly address: string | null } | null;
};

/** How it comes, by the answer to SETUP (RFC 2326 §12.39). */
export type Agreed =
  | { readonly way: 'tcp'; readonly media: number; readonly control: number }
  | {
      readonly way: 'udp';
      /** Where it comes from when that is not the peer of the connection. */
      readonly server: string | null;
      readonly rtp: number | null;
      readonly rtcp: number | null;
    };

/** Answers after which another offer is worth a try: of 400, 451 and 455 carriers mean the list of transports. */
export const unliked: ReadonlySet<number> = new Set([400, 451, 455, 461, 551]);

/**
 * What `Transport` is asked with, one after the other until the server takes one: all that is offered in the order that carriers know,
 * then UDP alone, then each way in its plainest words.
 */
export function transports(offer: Offer): string[] {
  const tcp = offer.tcp ? ['MP2T/RTP/TCP', 'MP2T/TCP', 'RTP/AVP/TCP'].map(interleaved) : [];
  const udp = offer.pair === null ? [] : ['MP2T/RTP/UDP', 'MP2T/UDP', 'RTP/AVP'].map((name) => toPair(name, offer));
  const plain = offer.pair === null ? [] : [`RTP/AVP;unicast;client_port=${offer.pair.rtp}-${offer.pair.rtcp}`];
  const tries = [
    [...tcp, ...udp].join(','),
    udp.join(','),
    ...plain,
    ...(offer.tcp ? [interleaved('RTP/AVP/TCP')] : []),
  ];
  return [...new Set(tries.filter((text) => text !== ''))];
}

/**
 * Reads the `Transport` of an answer. Labels of RTP and TS are not believed, and not read: the bytes tell. `asked` is what was offered:
 * it holds where the answer says nothing and it was one alone.
 * @throws RtspFault when it is none that was offered.
 */
export function readTransport(answer: string | null, asked: string, host: string): Agreed {
  const text = answer ?? (asked.includes(',') ? '' : asked);
  const [spec = '', ...fields] = (text.split(',', 1)[0] ?? '').split(';').map((part) => part.trim());
  const values = new Map(fields.map((part) => splitField(part)));
  const channels = values.get('interleaved');
  if (spec === '') throw fault(`${host} does not say by which transport it sends`);
  if (channels !== undefined || /TCP/i.test(spec)) return interleavedBy(channels ?? '0-1', host);
  if (values.has('multicast')) throw fault(`${host} wants to send by multicast, which was not asked for`);
  if (!asked.includes('client_port=')) throw fault(`${host} wants to send by UDP, which was not asked for`);
  const [rtp = null, rtcp = null] = answer === null ? [] : readPorts(values.get('server_port') ?? '', 65535);
  return { way: 'udp', server: values.get('source') || null, rtp, rtcp: rtcp ?? (rtp === null ? null : rtp + 1) };
}

/** The fault when a server takes none of what was offered. */
export function noneTaken(host: string, asked: readonly string[], status: number): RtspFault {
  const ways = [...new Set(asked.flatMap((text) => text.split(',').map((one) => one.split(';', 1)[0] ?? '')))];
  return new RtspFault(
    'upstream-refused',
    `${host} takes no transport of those offered (${status}): ${ways.join(', ')}.`,
    status,
  );
}

function interleaved(name: string): string {
  return `${name};unicast;interleaved=0-1`;
}

function toPair(name: string, { pair }: Offer): string {
  if (pair === null) return '';
  const ports = `client_port=${pair.rtp}-${pair.rtcp}`;
  if (pair.address === null) return `${name};unicast;${ports}`;
  return `${name};unicast;client_address=${pair.address};${ports};mode=PLAY`;
}

function interleavedBy(text: string, host: string): Agreed {
  const [media, control] = readPorts(text, 255);
  if (media === undefined) throw fault(`${host} names channels that there are not: "${shown(text)}"`);
  return { way: 'tcp', media, control: control ?? Math.min(media + 1, 255) };
}

/** `4-5` or `4`; nothing when they are out of range. */
function readPorts(text: string, most: number): number[] {
  const [, first, second] = /^(\d{1,5})(?:\s*-\s*(\d{1,5}))?$/.exec(text) ?? [];
  const ports = [first, second].flatMap((digits) => (digits === undefined ? [] : [Number(digits)]));
  return ports.every((port) => port <= most) ? ports : [];
}

function splitField(part: string): [name: string, value: string] {
  const [name = '', value = ''] = part.split(/\s*=\s*(.*)/s, 2);
  return [name.toLowerCase(), value.replace(/^"(.*)"$/, '$1')];
}

function fault(what: string): RtspFault {
  return new RtspFault('upstream-refused', `${what}.`);
}
