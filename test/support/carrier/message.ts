/** A request, or an answer to one of the carrier's own (RFC 2326 §4). */
export type Message = {
  /** `PLAY rtsp://h/a RTSP/1.0`, `RTSP/1.0 200 OK`. */
  readonly start: string;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};
export type Frame = { readonly channel: number; readonly data: Buffer };
type Taken = { readonly what: Message | Frame; readonly size: number };

/** Takes what a client writes apart: messages, and frames among them (§10.12). */
export class Reader {
  #bytes: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): (Message | Frame)[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const taken: (Message | Frame)[] = [];
    for (;;) {
      const next = this.#bytes[0] === 0x24 ? frameOf(this.#bytes) : messageOf(this.#bytes);
      if (next === null) return taken;
      taken.push(next.what);
      this.#bytes = this.#bytes.subarray(next.size);
    }
  }
}

function frameOf(bytes: Buffer): Taken | null {
  if (bytes.length < 4) return null;
  const size = 4 + bytes.readUInt16BE(2);
  if (bytes.length < size) return null;
  return { what: { channel: bytes[1] ?? 0, data: Buffer.from(bytes.subarray(4, size)) }, size };
}

function messageOf(bytes: Buffer): Taken | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [start = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  const size = end + 4 + Number(headers['content-length'] ?? 0);
  return bytes.length < size ? null : { what: { start, headers }, size };
}

/** One frame of a channel. */
export function framed(channel: number, data: Buffer): Buffer {
  const head = Buffer.from([0x24, channel, 0, 0]);
  head.writeUInt16BE(data.length, 2);
  return Buffer.concat([head, data]);
}
