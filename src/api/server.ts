import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { bracketed } from '../lib/address.js';
import { messageOf, WeirError } from '../lib/errors.js';
import { Repeats } from '../lib/repeats.js';
import { createApp } from './app.js';
import type { ApiOptions } from './options.js';

/** Where to listen; `address` null is every address, IPv4 and IPv6. Port 0 lets the system choose one. */
export type Listener = { readonly address: string | null; readonly port: number };

export type Api = {
  /**
   * Listens; resolves with the URL of each listener, in order.
   * @throws WeirError `conflict` when a port is in use, `invalid` when an address is not this machine's.
   */
  start(): Promise<string[]>;
  /** Stops listening and closes every connection that is still ours. May be called again. */
  stop(): Promise<void>;
};

/** Milliseconds. A client that is silent for so long, or slower than that, is disconnected. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  // Slow requests are looked for, by a Node that may have nothing else to do.
  connectionsCheckingInterval: 30_000,
  keepAliveTimeout: 5_000,
};
/** Milliseconds after which Node looks whether a client accepts its answer. The second time that nothing has moved, it is given up. */
const stalled = 15_000;
/** Milliseconds that a client has to read why it was refused, and to end its side. */
const farewell = 1000;
/** Connections that may wait to be accepted: whoever finds no room asks again a second later. The kernel has a limit of its own. */
const backlog = 4096;
const maxHeaderSize = 16_384;
const maxRequestsPerSocket = 1000;
/** Bytes of a body nobody asked for that are read before its connection is closed instead. */
const drained = 65_536;

const tooLate = Object.assign(new Error('no request came'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

export function createApi(options: ApiOptions & { readonly listen: readonly Listener[] }): Api {
  const answer = createApp(options).callback();
  /** How many requests of a connection are not answered yet. */
  const open = new WeakMap<Duplex, number>();
  /** Connections from which a request is expected, with what closes them when it is late. */
  const expected = new WeakMap<Duplex, NodeJS.Timeout>();
  const expect = (socket: Socket, within: number) => {
    const timer = setTimeout(() => refuse(tooLate, socket, false), within);
    expected.set(socket, timer);
  };
  const welcome = (socket: Socket) => {
    expect(socket, limits.headersTimeout);
    socket.once('close', () => clearTimeout(expected.get(socket)));
  };
  const answered = (socket: Socket) => {
    const left = (open.get(socket) ?? 1) - 1;
    open.set(socket, left);
    if (left === 0 && !socket.destroyed) expect(socket, limits.keepAliveTimeout + limits.headersTimeout);
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    clearTimeout(expected.get(socket));
    open.set(socket, (open.get(socket) ?? 0) + 1);
    response.once('finish', () => answered(socket));
    // Before there is an answer the stream's own times count.
    response.setTimeout(stalled, () => {
      if (response.headersSent) socket.destroy();
    });
    if (carriesTooMuch(request)) response.setHeader('Connection', 'close');
    void answer(request, response);
  };
  const faults = new Repeats((error, times) => options.log.error({ error, times }, 'connection not accepted'));
  const servers: Server[] = [];
  const listenOn = async ({ address, port }: Listener): Promise<string> => {
    const server = createServer({ ...limits, maxHeaderSize }, handle);
    server.maxRequestsPerSocket = maxRequestsPerSocket;
    server.on('connection', welcome);
    server.on('clientError', (error, socket) => refuse(error, socket, (open.get(socket) ?? 0) > 0));
    servers.push(server);
    await listen(server, { address, port });
    server.on('error', (error) => faults.add(error.message));
    const { port: actual } = server.address() as AddressInfo;
    return `http://${bracketed(address ?? '127.0.0.1')}:${actual}`;
  };
  return {
    async start() {
      const urls: string[] = [];
      for (const listener of options.listen) urls.push(await listenOn(listener));
      return urls;
    },
    async stop() {
      await Promise.all(servers.splice(0).map(close));
    },
  };
}

function listen(server: Server, { address, port }: Listener): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => reject(explain(error, address, port));
    server.once('error', failed);
    // Without an address Node listens on `::` for both families, or on 0.0.0.0 where there is no IPv6.
    server.listen({ port, backlog, ...(address === null ? {} : { host: address }) }, () => {
      server.off('error', failed);
      resolve();
    });
  });
}

function explain(error: NodeJS.ErrnoException, address: string | null, port: number): WeirError {
  const where = address === null ? `Port ${port}` : `${bracketed(address)}:${port}`;
  const reasons: Record<string, string> = {
    EADDRINUSE: `${where} is in use. Stop what uses it, or choose another with --listen.`,
    EADDRNOTAVAIL: `${address} is not an address of this machine. Choose one of its own with --listen.`,
    EACCES: `${where} is not open to this user. Choose a port above 1023 with --listen.`,
  };
  const message = reasons[error.code ?? ''] ?? `${where} cannot be listened on: ${messageOf(error)}.`;
  return new WeirError(error.code === 'EADDRINUSE' ? 'conflict' : 'invalid', message);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function carriesTooMuch({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > drained;
}

/** Answers what is not HTTP, or too much of it. While another answer is under way, perhaps the pump's, nothing may be said. */
function refuse(error: Error & { readonly code?: string }, socket: Duplex, busy: boolean): void {
  if (busy || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const statuses: Record<string, string> = {
    HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
    ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  };
  const status = statuses[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  // Whoever is refused need not end its side: the descriptor would be held until it does.
  const timer = setTimeout(() => socket.destroy(), farewell);
  socket.once('close', () => clearTimeout(timer));
}
