import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

type Owner = { after(undo: () => void): void };
type Options = {
  /** `user:password` that it wants (RFC 1929). */
  readonly credentials?: string;
  /** Names that it looks up for itself. */
  readonly names?: Readonly<Record<string, string>>;
};

/** A SOCKS5 proxy: what it was asked to connect to, as `host:port`. */
export type SocksProxy = { readonly host: string; readonly asked: string[] };

/** A SOCKS5 proxy on loopback that connects (RFC 1928). */
export async function startSocksProxy(owner: Owner, { credentials, names = {} }: Options = {}): Promise<SocksProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const handle = async (socket: Socket) => {
    const read = reader(socket);
    const methods = await read((await read(2))[1] ?? 0);
    const method = credentials === undefined ? 0 : 2;
    if (!methods.includes(method)) return void socket.end(Buffer.from([5, 0xff]));
    socket.write(Buffer.from([5, method]));
    if (credentials !== undefined) {
      const user = await read((await read(2))[1] ?? 0);
      const password = await read((await read(1))[0] ?? 0);
      const isKnown = `${user}:${password}` === credentials;
      if (!isKnown) return void socket.end(Buffer.from([1, 1]));
      socket.write(Buffer.from([1, 0]));
    }
    const host = await readHost(read, (await read(4))[3] ?? 0);
    const port = (await read(2)).readUInt16BE();
    asked.push(`${host}:${port}`);
    const reply = (code: number) => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
    const onward = connect({ host: names[host] ?? host, port }, () => {
      socket.write(reply(0));
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.end(reply(5)));
    socket.on('close', () => onward.destroy());
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    handle(socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  owner.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

type Read = (bytes: number) => Promise<Buffer>;

async function readHost(read: Read, type: number): Promise<string> {
  if (type === 1) return [...(await read(4))].join('.');
  if (type === 3) return (await read((await read(1))[0] ?? 0)).toString();
  const words = (await read(16)).toString('hex').match(/.{4}/g) ?? [];
  return words.join(':');
}

/** Reads a socket by so many bytes at a time. @throws when it ends before. */
function reader(socket: Socket): Read {
  return async (bytes) => {
    for (;;) {
      if (bytes === 0) return Buffer.alloc(0);
      const chunk = socket.read(bytes) as Buffer | null;
      if (chunk?.length === bytes) return chunk;
      if (socket.readableEnded || socket.destroyed) throw new Error('the client has gone');
      await new Promise<void>((resolve) => {
        socket.once('readable', resolve).once('end', resolve).once('close', resolve);
      });
    }
  };
}
