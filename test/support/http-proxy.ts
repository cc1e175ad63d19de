import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

type Owner = { after(undo: () => void): void };
type Options = {
  /** `user:password` that it wants. */
  readonly credentials?: string;
  /** Names that it looks up for itself. */
  readonly names?: Readonly<Record<string, string>>;
};

/** An HTTP proxy: what it was asked for, as `GET http://…` or `CONNECT host:port`. */
export type HttpProxy = { readonly host: string; readonly asked: string[] };

/** A proxy on loopback that tunnels (RFC 9110 §9.3.6) and forwards (RFC 9112 §3.2.2), and sets the Host itself. */
export async function startHttpProxy(owner: Owner, { credentials, names = {} }: Options = {}): Promise<HttpProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isKnown = ({ headers }: IncomingMessage) => !wanted || headers['proxy-authorization'] === wanted;
  const server = createServer((from: IncomingMessage, to: ServerResponse) => {
    asked.push(`${from.method} ${from.url}`);
    if (!isKnown(from)) return void to.writeHead(407).end();
    const url = new URL(from.url ?? '');
    const { 'proxy-authorization': _, ...headers } = from.headers;
    const target = { host: names[url.hostname] ?? url.hostname, port: url.port, path: url.pathname + url.search };
    const onward = request({ ...target, headers: { ...headers, host: url.host } }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    onward.on('error', () => to.writeHead(502).end());
    onward.end();
  });
  server.on('connect', (from: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${from.url}`);
    if (!isKnown(from)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const { hostname, port } = new URL(`http://${from.url}`);
    const host = hostname.replace(/^\[|\]$/g, '');
    const onward = connect({ host: names[host] ?? host, port: Number(port || 80) }, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    socket.on('error', () => onward.destroy());
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  owner.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
