import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, type Socket } from 'node:net';
import type { DialogueOptions, PairMaker } from '../../../src/relay/rtsp/dialogue.js';
import type { Endpoint } from '../../../src/relay/rtsp/transport.js';

type Owner = { after(undo: () => void): void };

/** How dialogues of tests are led: with every address allowed, and by TCP alone unless said. */
export const options: DialogueOptions = {
  userAgent: 'CTC RTSP 1.0',
  local: null,
  transport: 'tcp',
  nat: 'off',
  signal: new AbortController().signal,
  step: 3000,
  addresses: (address) => Promise.resolve([{ address, family: isIPv6(address) ? 6 : 4 }]),
};

/** Two sockets of this process in place of the pump's, and which addresses they were asked for. */
export function pairOf(owner: Owner): PairMaker & { readonly opened: string[] } {
  const opened: string[] = [];
  const sockets: { rtp: UdpSocket; rtcp: UdpSocket }[] = [];
  owner.after(() => {
    for (const { rtp, rtcp } of sockets) for (const socket of [rtp, rtcp]) socket.close();
  });
  const last = () => {
    const pair = sockets.at(-1);
    if (pair === undefined) throw new Error('No pair was opened yet.');
    return pair;
  };
  return {
    opened,
    open: async (local) => {
      opened.push(local);
      const pair = { rtp: await bound(local), rtcp: await bound(local) };
      sockets.push(pair);
      return { rtp: pair.rtp.address().port, rtcp: pair.rtcp.address().port };
    },
    send: (socket, { address, port }: Endpoint, data) =>
      new Promise((resolve, reject) => {
        last()[socket].send(data, port, address, (error) => (error === null ? resolve() : reject(error)));
      }),
    next: async (signal) => {
      const [data, from] = await once(last().rtp, 'message', { signal });
      return { from, data };
    },
  };
}

/** A server that answers all well, with something around each answer. What comes is put into `seen`, by heads. */
export async function scripted(
  owner: Owner,
  around: (method: string) => { readonly before?: Buffer; readonly behind?: Buffer },
  seen: string[] = [],
): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let unread = '';
    socket.on('data', (data) => {
      const heads = `${unread}${data}`.split('\r\n\r\n');
      unread = heads.pop() ?? '';
      for (const head of heads) {
        seen.push(head);
        const [method = ''] = head.split(' ', 1);
        if (method.startsWith('RTSP/')) continue;
        const { before = Buffer.alloc(0), behind = Buffer.alloc(0) } = around(method);
        socket.write(Buffer.concat([before, answerTo(head, method), behind]));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owner.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  return `rtsp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/1`;
}

function answerTo(head: string, method: string): Buffer {
  const number = /CSeq: (\d+)/.exec(head)?.[1];
  const fields = 'Session: 1\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1';
  const body = method === 'DESCRIBE' ? 'v=0\r\nm=video 0 RTP/AVP 33\r\n' : '';
  return Buffer.from(
    `RTSP/1.0 200 OK\r\nCSeq: ${number}\r\n${fields}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

async function bound(local: string): Promise<UdpSocket> {
  const socket = createSocket(isIPv6(local) ? 'udp6' : 'udp4');
  socket.bind(0, local);
  await once(socket, 'listening');
  return socket;
}
