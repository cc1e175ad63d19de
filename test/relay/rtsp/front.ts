import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import pino from 'pino';
import { WeirError } from '../../../src/lib/errors.js';
import type { ArchivePlan, WatchRequest } from '../../../src/relay/contract.js';
import { createRelay, type RelayOptions, type RunningRelay } from '../../../src/relay/relay.js';
import { makeTempDir } from '../../support/temp.js';

type Owner = { after(undo: () => void | Promise<void>): void };

export type Front = {
  readonly relay: RunningRelay;
  readonly url: string;
  /** Lines of the log. */
  readonly log: string[];
};

/** What a path stands for; `null` is the address of the path in its query, live. */
export type Asked = Partial<Omit<WatchRequest, 'socket' | 'head'>> & { readonly archive?: ArchivePlan | null };

export const times = { no_signal: 4, rejoin: 2, linger: 0.5, membership_refresh: 0, look_back: 4, look_back_mb: 8 };

/**
 * The relay with its real pump behind a door of its own: `GET /watch?url=…` watches that address of RTSP. `asked` says more of a
 * request, by its path.
 */
export async function startFront(
  owner: Owner,
  options: Partial<RelayOptions> = {},
  asked: (path: string) => Asked = () => ({}),
): Promise<Front> {
  const home = makeTempDir();
  const log: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => log.push(line) });
  const relay = createRelay({
    ...{ dir: options.dir ?? home.path, log: logger, interface: null, viewers: 100 },
    ...{ viewerTcp: { congestion: null, unsent_kb: null }, streams: times, ...options },
  });
  await relay.start();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const url = new URL(path, 'http://weir').searchParams.get('url') ?? '';
    const userAgent = request.headers['user-agent'] ?? null;
    const note = { channel: null, token: null, userAgent, peer: '127.0.0.1', archive: null, asked: null };
    const { socket } = request;
    const usual = {
      upstream: { kind: 'rtsp', url, interface: null },
      membershipRefresh: null,
      note,
      archive: null,
    } as const;
    const rest = {
      userAgent: null,
      sessions: null,
      inner: true,
      head: 'HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\n\r\n',
    };
    relay.watch({ ...usual, ...rest, socket, ...asked(path) }).catch((error: unknown) => {
      const known = error instanceof WeirError ? error : new WeirError('internal', String(error));
      response.writeHead(known.code === 'upstream-timeout' ? 504 : known.code === 'upstream-refused' ? 502 : 503, {
        Connection: 'close',
        'X-Code': known.code,
        'Content-Length': Buffer.byteLength(known.message) + 1,
      });
      response.end(`${known.message}\n`);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  owner.after(async () => {
    await relay.stop();
    for (const socket of sockets) socket.destroy();
    server.close();
    home.remove();
  });
  return { relay, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, log };
}

export function pathOf(url: string, more = ''): string {
  return `/watch?url=${encodeURIComponent(url)}${more}`;
}
