import { connect as connectTo, isIPv4, type Socket } from 'node:net';
import type { HostAddress } from '../../lib/inner-address.js';
import { handleOf } from '../descriptor.js';
import { answerTo, MessageReader, numberOf, type RtspMessage, statusOf } from './message.js';
import { failedAt, RtspFault, tooLate } from './reasons.js';
import type { Endpoint } from './transport.js';

/** Read ahead of what is asked for: it has to fit into the message that hands the connection over. */
const readAhead = 2048;
/** Addresses of one name that are tried. */
const mostAddresses = 4;

type Way = {
  /** As faults name it. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly HostAddress[];
  /** Address of this machine to connect from, or null for the kernel's choice. */
  readonly local: string | null;
  /** Milliseconds for all addresses together. */
  readonly step: number;
  readonly signal: AbortSignal;
};
type Waiting = { resolve(message: RtspMessage): void; reject(fault: unknown): void; readonly number: number };

/**
 * A connection to a server. It is read only while an answer is awaited, so that what comes after the last one is left to whom it is
 * given to.
 */
export class RtspConnection {
  readonly #host: string;
  readonly #reader: MessageReader;
  readonly #socket: Socket;
  #waiting: Waiting | null = null;
  #fault: RtspFault | null = null;
  #released = false;

  /** Connects to the first address that takes it. @throws RtspFault of the last one. */
  static async open(way: Way): Promise<RtspConnection> {
    const isUsable = ({ address }: HostAddress) => way.local === null || isIPv4(address) === isIPv4(way.local);
    const addresses = way.addresses.filter(isUsable).slice(0, mostAddresses);
    let fault = new RtspFault('upstream-refused', `${way.host} has no address that ${way.local} could reach.`);
    for (const { address } of addresses) {
      const connection = new RtspConnection(way, address);
      try {
        await connection.#connected(way.step / addresses.length, way.signal);
        return connection;
      } catch (error) {
        connection.close();
        way.signal.throwIfAborted();
        fault = failedAt(way.host, error);
      }
    }
    throw fault;
  }

  private constructor({ host, port, local }: Way, address: string) {
    this.#host = host;
    this.#reader = new MessageReader(host);
    const onread = { buffer: Buffer.alloc(readAhead), callback: this.#read.bind(this) };
    this.#socket = connectTo({ host: address, port, onread, ...(local === null ? {} : { localAddress: local }) });
    this.#socket.setNoDelay(true);
    this.#socket.on('error', (error) => this.#fail(failedAt(host, error)));
    this.#socket.on('close', () => this.#fail(new RtspFault('upstream-refused', `${host} closed the connection.`)));
  }

  /** Both ends; empty once it is closed. */
  get local(): Endpoint {
    return { address: this.#socket.localAddress ?? '', port: this.#socket.localPort ?? 0 };
  }

  get peer(): Endpoint {
    return { address: this.#socket.remoteAddress ?? '', port: this.#socket.remotePort ?? 0 };
  }

  /**
   * Says a request and resolves with its answer. One at a time. `what` is the method, `number` its CSeq, `step` in milliseconds.
   * @throws RtspFault when there is none; the signal's reason when it is broken off.
   */
  async ask(text: string, number: number, what: string, step: number, signal: AbortSignal): Promise<RtspMessage> {
    signal.throwIfAborted();
    if (this.#fault !== null) throw this.#fault;
    const stop = () => this.#refuse(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const timer = setTimeout(() => this.#refuse(tooLate(this.#host, what)), step);
    try {
      return await new Promise<RtspMessage>((resolve, reject) => {
        this.#waiting = { resolve, reject, number };
        this.#socket.write(text);
        this.#socket.resume();
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  /**
   * Gives the connection away: it is read no more. `read` was read of it already; `close` frees this process's copy, and does not end
   * the connection while another has one.
   * @throws RtspFault when it is closed.
   */
  release(): { readonly descriptor: number; readonly read: Buffer; close(): void } {
    const handle = this.#fault === null ? handleOf(this.#socket) : null;
    if (handle === null) throw this.#fault ?? new RtspFault('upstream-refused', `${this.#host} closed the connection.`);
    handle.readStop();
    this.#released = true;
    return { descriptor: handle.fd, read: this.#reader.rest(), close: () => this.close() };
  }

  close(): void {
    this.#socket.destroy();
  }

  async #connected(step: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const socket = this.#socket;
    let stop = () => {};
    const timer = setTimeout(() => this.#fail(tooLate(this.#host, 'the connection')), step);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#waiting = { resolve: () => {}, reject, number: 0 };
        stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
        socket.once('connect', resolve);
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      this.#waiting = null;
    }
  }

  /** False stops the reading, until `resume`. */
  #read(size: number, buffer: Uint8Array): boolean {
    try {
      for (const message of this.#reader.feed(Buffer.from(buffer.subarray(0, size)))) this.#take(message);
    } catch (error) {
      this.#fail(failedAt(this.#host, error));
    }
    return this.#waiting !== null && !this.#released;
  }

  #take(message: RtspMessage): void {
    const answer = statusOf(message);
    if (answer === null) {
      this.#socket.write(answerTo(message));
      return;
    }
    const waiting = this.#waiting;
    const number = numberOf(message);
    // An answer given twice has a number that was there before. Any other is taken: some servers count in their own way, or not at all.
    if (waiting === null || answer.status < 200 || (number !== null && number > 0 && number < waiting.number)) return;
    this.#waiting = null;
    waiting.resolve(message);
  }

  #refuse(reason: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.reject(reason);
  }

  #fail(fault: RtspFault): void {
    this.#fault ??= fault;
    this.#refuse(this.#fault);
  }
}
