import { connect, type Socket } from 'node:net';

export type LiveOptions = {
  readonly port: number;
  readonly path: string;
  /** Told of each piece of the body and the time it came, in milliseconds of `performance.now`. */
  readonly piece: (bytes: Buffer, at: number) => void;
  /** Told once when the server ends or breaks the connection. */
  readonly ended: () => void;
};

/** One GET of a stream; settles with its status and what closes it, once the head of the answer is there. Status 0: no answer. */
export function openLive({ port, path, piece, ended }: LiveOptions): Promise<{ status: number; socket: Socket }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let head: Buffer | null = Buffer.alloc(0);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    socket.on('data', (bytes) => {
      const at = performance.now();
      if (head === null) return piece(bytes, at);
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const body = head.subarray(end + 4);
      resolve({ status: Number(head.toString('latin1', 9, 12)), socket });
      head = null;
      if (body.length > 0) piece(body, at);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve({ status: 0, socket });
      ended();
    });
  });
}
