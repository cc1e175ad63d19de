import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { State } from './state.js';

/** The ports that a session's media come from: an even one and the next. */
export type ServerPair = { readonly rtp: Socket; readonly rtcp: Socket; close(): void };

/** @param address what media come from */
export async function openPair(state: State, address: string): Promise<ServerPair> {
  for (;;) {
    const rtp = await bind(state, address, 0);
    const { port } = rtp.address();
    const rtcp = port % 2 === 0 ? await bind(state, address, port + 1).catch(() => null) : null;
    if (rtcp === null) {
      rtp.close();
      continue;
    }
    const log = (socket: 'rtp' | 'rtcp') => (data: Buffer) => state.datagrams.push({ socket, data });
    rtp.on('message', log('rtp'));
    rtcp.on('message', log('rtcp'));
    return {
      rtp,
      rtcp,
      close: () => {
        rtp.close();
        rtcp.close();
      },
    };
  }
}

async function bind(state: State, address: string, port: number): Promise<Socket> {
  const socket = createSocket(state.host.includes(':') ? 'udp6' : 'udp4');
  try {
    socket.bind(port, address);
    await once(socket, 'listening');
  } catch (error) {
    socket.close();
    throw error;
  }
  // Nobody may listen there any more.
  socket.on('error', () => undefined);
  return socket;
}

const cookie = 0x2112a442;

/** Answers binding requests with the address that they came from (RFC 5389 §7.3, §15.2). */
export async function startStun(state: State): Promise<Socket> {
  const socket = await bind(state, state.host, state.port);
  socket.on('message', (data, from) => {
    state.datagrams.push({ socket: 'stun', data });
    if (data.length >= 20 && data.readUInt16BE(0) === 1 && data.readUInt32BE(4) === cookie) {
      socket.send(binding(data.subarray(8, 20), from), from.port, from.address);
    }
  });
  return socket;
}

function binding(transaction: Buffer, { address, port }: RemoteInfo): Buffer {
  const answer = Buffer.alloc(32);
  answer.writeUInt32BE(0x0101000c, 0);
  answer.writeUInt32BE(cookie, 4);
  transaction.copy(answer, 8);
  answer.writeUInt32BE(0x00200008, 20);
  answer.writeUInt16BE(1, 24);
  answer.writeUInt16BE(port ^ (cookie >>> 16), 26);
  const literal = address.split('.').reduce((word, part) => word * 256 + Number(part), 0);
  answer.writeUInt32BE((literal ^ cookie) >>> 0, 28);
  return answer;
}
