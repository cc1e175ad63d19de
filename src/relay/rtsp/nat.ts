import { isIPv4 } from 'node:net';
import type { Agreed, Endpoint } from './transport.js';

/** A datagram that opens the way for what comes back: said after SETUP three times, and again with each keepalive. */
export type Punch = { readonly socket: 'rtp' | 'rtcp'; readonly to: Endpoint; readonly data: Buffer };

type Known = {
  /** Where the connection ends here and there. */
  readonly local: Endpoint;
  readonly peer: Endpoint;
  /** The RTP socket, as the server was told of it. */
  readonly client: Endpoint;
};

/** What ZTE's servers wait for before they send: 84 bytes, most of them zero. They ignore all else, and others ignore it. */
export function ztePunch(address: string, rtpPort: number, controlPort: number): Buffer {
  const data = Buffer.alloc(84);
  data.write('ZXV10STB', 0, 'latin1');
  data.writeUInt32BE(0x7fffffff, 8);
  data.set(address.split('.').map(Number), 12);
  data.writeUInt16BE(rtpPort, 16);
  data.writeUInt16BE(controlPort, 18);
  return data;
}

/** A head of RTP with nothing behind it (RFC 3550 §5.1). */
export function rtpPunch(): Buffer {
  const data = Buffer.alloc(12);
  data[0] = 0x80;
  return data;
}

/** A receiver report about nobody (RFC 3550 §6.4.2). */
export function emptyReport(): Buffer {
  return Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 0]);
}

/** What is to be sent from the pair of a session; nothing over TCP, or where the server's ports are not known. */
export function punchesOf(agreed: Agreed, { local, peer, client }: Known): Punch[] {
  if (agreed.way === 'tcp' || agreed.rtp === null || agreed.rtp === 0) return [];
  const address = agreed.server ?? peer.address;
  const data =
    isIPv4(address) && isIPv4(client.address) ? ztePunch(client.address, client.port, local.port) : rtpPunch();
  const media: Punch = { socket: 'rtp', to: { address, port: agreed.rtp }, data };
  if (agreed.rtcp === null || agreed.rtcp === 0) return [media];
  return [media, { socket: 'rtcp', to: { address, port: agreed.rtcp }, data: emptyReport() }];
}
