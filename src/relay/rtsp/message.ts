import { RtspFault, shown } from './reasons.js';

/** A request or an answer of RTSP (RFC 2326 §4). */
export type RtspMessage = {
  /** Its first line, as it came. */
  readonly start: string;
  /** By name, in lower case; the values of one that came several times in their order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
};

/** Bytes. */
const longestHead = 16 * 1024;
const longestBody = 64 * 1024;
/** What may come between messages before anything is played. */
const mostFrames = 8 * 1024;
const mostFields = 100;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const dollar = 0x24;
/** As much of a first line as tells what it is. */
const telling = 32;

/** Takes messages, and frames between them (RFC 2326 §10.12), out of what is read in pieces of any size. */
export class MessageReader {
  readonly #host: string;
  #unread: Buffer = Buffer.alloc(0);
  /** Up to where the unread was searched for the end of a head. */
  #searched = 0;
  /** A message whose body is not whole yet. */
  #head: { readonly message: RtspMessage; readonly size: number } | null = null;
  readonly #frames: Buffer[] = [];
  #framed = 0;

  /** `host` is whom faults name. */
  constructor(host = 'The server') {
    this.#host = host;
  }

  /**
   * Takes what was read. Interleaved frames that come between messages are kept, whole, for the pump.
   * @throws RtspFault when it is no RTSP, or too long.
   */
  feed(bytes: Buffer): RtspMessage[] {
    this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    const messages: RtspMessage[] = [];
    for (;;) {
      const message = this.#next();
      if (message === null) return messages;
      if (message !== 'frame') messages.push(message);
    }
  }

  /** What stands behind the last message: frames, and what is no whole message yet. */
  rest(): Buffer {
    return Buffer.concat([...this.#frames, this.#unread]);
  }

  #next(): RtspMessage | 'frame' | null {
    if (this.#head !== null) return this.#body(this.#head.message, this.#head.size);
    if (this.#searched === 0) this.#skipBlank();
    if (this.#unread[0] === dollar) return this.#frame();
    const end = this.#endOfHead();
    if (end === 0) return null;
    const message = readHead(this.#take(end).toString(), this.#host);
    const size = lengthOf(message);
    if (size > longestBody) throw this.#fault(`sends a body of ${size} bytes: more than ${longestBody} is refused`);
    this.#head = { message, size };
    return this.#body(message, size);
  }

  #body(message: RtspMessage, size: number): RtspMessage | null {
    if (this.#unread.length < size) return null;
    this.#head = null;
    return { ...message, body: Buffer.from(this.#take(size)) };
  }

  #frame(): 'frame' | null {
    const size = this.#unread.length < 4 ? 4 : 4 + this.#unread.readUInt16BE(2);
    if (this.#framed + size > mostFrames) throw this.#fault('sends media that nobody asked for yet');
    if (this.#unread.length < size) return null;
    this.#framed += size;
    this.#frames.push(Buffer.from(this.#take(size)));
    return 'frame';
  }

  /** How long the head at the front is, its empty line included; 0 when it is not whole. */
  #endOfHead(): number {
    this.#checkStart();
    for (;;) {
      const end = this.#unread.indexOf(lineFeed, this.#searched);
      if (end < 0 || end >= longestHead) {
        if (this.#unread.length > longestHead) throw this.#fault(`sends a head of more than ${longestHead} bytes`);
        return 0;
      }
      const isEmpty =
        end === this.#searched || (end === this.#searched + 1 && this.#unread[end - 1] === carriageReturn);
      if (isEmpty) return end + 1;
      this.#searched = end + 1;
    }
  }

  /** Tells what is no RTSP at its first bytes, and not when patience is over. */
  #checkStart(): void {
    const line = this.#unread.subarray(0, telling).toString('latin1');
    if (/^HTTP\//i.test(line)) throw this.#fault('speaks HTTP, not RTSP: the address may want http://');
    const isWhole = line.length === telling || line.includes('\n');
    const isStart = isWhole ? /^(?:RTSP\/\d|[A-Z_]{3,20} )/i.test(line) : /^[A-Z_]*(?:[ /]|$)/i.test(line);
    if (!isStart) throw this.#fault(`sends what is no RTSP: ${JSON.stringify(shown(line))}`);
  }

  #skipBlank(): void {
    let from = 0;
    while (this.#unread[from] === lineFeed || this.#unread[from] === carriageReturn) from += 1;
    this.#unread = this.#unread.subarray(from);
  }

  #take(size: number): Buffer {
    const taken = this.#unread.subarray(0, size);
    this.#unread = this.#unread.subarray(size);
    this.#searched = 0;
    return taken;
  }

  #fault(what: string): RtspFault {
    return new RtspFault('upstream-refused', `${this.#host} ${what}.`);
  }
}

/**
 * Reads a head, with or without its empty line: what the pump hands up too. Names in any case, folded lines (RFC 2326 §4.2), CR LF
 * or LF.
 * @throws RtspFault when it has more than 100 fields.
 */
export function readHead(text: string, host = 'The server'): RtspMessage {
  const [start = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  if (lines.length > mostFields) {
    throw new RtspFault('upstream-refused', `${host} sends a head of more than ${mostFields} fields.`);
  }
  const headers = new Map<string, string[]>();
  let values: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (/^[ \t]/.test(line)) {
      if (values.length > 0) values.push(`${values.pop()} ${line.trim()}`.trim());
    } else if (colon > 0) {
      const name = line.slice(0, colon).trim().toLowerCase();
      values = headers.get(name) ?? [];
      values.push(line.slice(colon + 1).trim());
      headers.set(name, values);
    }
  }
  return { start, headers, body: Buffer.alloc(0) };
}

/** The first value of a field, or null. `name` is in lower case. */
export function field(message: RtspMessage, name: string): string | null {
  return message.headers.get(name)?.[0] ?? null;
}

/** Status and phrase of an answer; null when it is a request. */
export function statusOf(message: RtspMessage): { readonly status: number; readonly reason: string } | null {
  const match = /^RTSP\/\d+(?:\.\d+)?\s+(\d{3})(?:\s+(.*))?$/i.exec(message.start.trim());
  return match === null ? null : { status: Number(match[1]), reason: match[2] ?? '' };
}

/** The number of a message (RFC 2326 §12.17), or null when it has none that can be read. */
export function numberOf(message: RtspMessage): number | null {
  const text = field(message, 'cseq');
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** What a server's own request is answered with; whole, its empty line included. */
export function answerTo(request: RtspMessage): string {
  const [method = ''] = request.start.split(' ', 1);
  const isKnown = /^(?:OPTIONS|SET_PARAMETER|GET_PARAMETER|ANNOUNCE)$/i.test(method);
  const number = field(request, 'cseq');
  const session = field(request, 'session');
  return [
    `RTSP/1.0 ${isKnown ? '200 OK' : '501 Not Implemented'}`,
    ...(number === null ? [] : [`CSeq: ${number}`]),
    ...(session === null ? [] : [`Session: ${session}`]),
    '\r\n',
  ].join('\r\n');
}

/** Absent is none (RFC 2326 §4.4), and so is what is no number. */
function lengthOf(message: RtspMessage): number {
  const text = field(message, 'content-length') ?? '';
  return /^\d+$/.test(text) ? Number(text) : 0;
}
