import { connect, type Socket } from 'node:net';
import { WeirError } from '../lib/errors.js';
import { DescriptorSocket } from '../lib/native.js';
import { type Frame, formatFrame, maxFrame, parseFrame, text } from './frame.js';

type Values = Record<string, string | number | null | undefined>;

/** The rows that came before the `ok`, and the `ok` itself. */
export type Reply = { readonly rows: readonly Frame[]; readonly end: Frame };

type Pending = { rows: Frame[]; resolve(reply: Reply): void; reject(error: Error): void; timer: NodeJS.Timeout };

export type LinkOptions = {
  /** The pump's sockets without their endings. */
  readonly prefix: string;
  /** Events that end up here came after every reply that was seen before. */
  readonly onEvent: (event: Frame, from: PumpLink) => void;
  /** Told once when the link is gone, whoever ended it. */
  readonly onClosed: (link: PumpLink) => void;
};

/** How long a pump may take to answer, in milliseconds. */
const patience = 5000;

/** An answer of the pump that says no. */
export class PumpRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'PumpRefusal';
    this.code = code;
  }
}

/** The two sockets of one pump: requests with their replies, events, and client sockets handed over. */
export class PumpLink {
  readonly #control: Socket;
  readonly #descriptors: DescriptorSocket;
  readonly #options: LinkOptions;
  /** Keyed by the request's id. */
  readonly #pending = new Map<string, Pending>();
  #nextId = 1;
  #unread = '';
  #closed = false;

  /** Connects to a pump. @throws Error with `code` when none listens. */
  static open(options: LinkOptions): Promise<PumpLink> {
    return new Promise((resolve, reject) => {
      const control = connect(`${options.prefix}.sock`);
      control.once('error', reject);
      control.once('connect', () => {
        control.off('error', reject);
        try {
          resolve(new PumpLink(control, new DescriptorSocket(`${options.prefix}.fds`), options));
        } catch (error) {
          control.destroy();
          reject(error);
        }
      });
    });
  }

  private constructor(control: Socket, descriptors: DescriptorSocket, options: LinkOptions) {
    this.#control = control;
    this.#descriptors = descriptors;
    this.#options = options;
    control.setEncoding('latin1');
    control.on('data', (chunk: string) => {
      this.#unread += chunk;
      this.#read();
    });
    control.on('error', () => this.close());
    control.on('close', () => this.close());
  }

  /** Asks the pump. @throws PumpRefusal when it says no, WeirError `unavailable` when it is gone or does not answer. */
  request(name: string, values: Values = {}): Promise<Reply> {
    if (this.#closed) return Promise.reject(gone());
    const id = String(this.#nextId++);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.close(), patience);
      this.#pending.set(id, { rows: [], resolve, reject, timer });
      this.#control.write(`${formatFrame(name, { id, ...values })}\n`);
    });
  }

  /** Hands a descriptor over, of a viewer or a feed. False when the queue to the pump is full, or the pump is gone. */
  hand(name: 'attach' | 'feed', values: Values, descriptor: number): boolean {
    if (this.#closed) return false;
    try {
      return this.#descriptors.send(formatFrame(name, values), descriptor);
    } catch {
      this.close();
      return false;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#control.destroy();
    this.#descriptors.close();
    for (const pending of this.#pending.values()) {
      clearTimeout(pending.timer);
      pending.reject(gone());
    }
    this.#pending.clear();
    this.#options.onClosed(this);
  }

  #read(): void {
    for (let end = this.#unread.indexOf('\n'); end >= 0 && !this.#closed; end = this.#unread.indexOf('\n')) {
      const frame = end < maxFrame ? parseFrame(this.#unread.slice(0, end)) : null;
      this.#unread = this.#unread.slice(end + 1);
      if (frame === null) {
        this.close();
      } else if (this.#settles(frame)) {
        // Whoever awaits the reply goes on before the events that came after it.
        setImmediate(() => this.#read());
        return;
      }
    }
    if (this.#unread.length >= maxFrame) this.close();
  }

  /** Takes one frame. True when it ended a request. */
  #settles(frame: Frame): boolean {
    const id = text(frame, 'id');
    if (id === '') {
      this.#options.onEvent(frame, this);
      return false;
    }
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    if (frame.name !== 'ok' && frame.name !== 'error') {
      pending.rows.push(frame);
      return false;
    }
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (frame.name === 'ok') pending.resolve({ rows: pending.rows, end: frame });
    else pending.reject(new PumpRefusal(text(frame, 'code'), text(frame, 'message')));
    return true;
  }
}

function gone(): WeirError {
  return new WeirError('unavailable', 'The pump has ended; a new one is being started. Try again.', { retryAfter: 1 });
}
