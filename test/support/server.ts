import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  isIPv6,
  type Socket,
  type Server as TcpServer,
} from 'node:net';

type Owner = { after(undo: () => void): void };
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;
type At = { readonly address?: string; readonly port?: number };

/** An HTTP server, on a port of loopback unless said; resolves with its address. */
export async function serve(owner: Owner, handler: Handler, at: At = {}): Promise<string> {
  const server = createServer(handler);
  owner.after(() => server.closeAllConnections());
  return await listen(owner, server, at);
}

/** A TCP server on loopback that answers every connection by hand, byte by byte, once something was asked. */
export async function serveRaw(owner: Owner, answer: (socket: Socket) => void, at: At = {}): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.once('data', () => answer(socket));
  });
  owner.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  return await listen(owner, server, at);
}

async function listen(
  owner: Owner,
  server: Server | TcpServer,
  { address = '127.0.0.1', port = 0 }: At,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  owner.after(() => void server.close());
  const { port: actual } = server.address() as AddressInfo;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${actual}`;
}

/** Writes the same bytes over and over, as fast as they are taken, until so many were written or the other side goes. */
export async function pour(to: NodeJS.WritableStream, piece: Uint8Array, total: number): Promise<void> {
  let gone = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      gone = true;
      resolve();
    };
    to.once('close', end).once('error', end);
  });
  for (let written = 0; written < total && !gone; written += piece.length) {
    if (to.write(piece)) continue;
    let wake = () => {};
    const drained = new Promise<void>((resolve) => {
      wake = resolve;
      to.once('drain', resolve);
    });
    await Promise.race([drained, ended]);
    to.removeListener('drain', wake);
  }
}
