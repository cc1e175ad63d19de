import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { type LoopPacket, playLoop, readLoop } from './loop.js';
import { packetSize } from './packet.js';

export type LoopOptions = {
  /** MPEG-TS recording of one programme, see `readLoop`. */
  readonly file: string;
  /** IPv4 or IPv6 address, a group or not. */
  readonly address: string;
  readonly port: number;
  /** RTP (payload type 33, RFC 2250) when true, else bare TS. */
  readonly rtp: boolean;
  /** Address of the interface that groups are sent on, `::%name` with IPv6; loopback when left out. */
  readonly interface?: string;
};

export type LoopSender = { stop(): Promise<void> };

const packetsPerDatagram = 7;
const tick = 5;
/** Milliseconds behind the clock after which it goes on from now, as after a suspended machine, instead of catching up. */
const patience = 500;

/**
 * Sends a recording round and round, at its own pace, as TS packets by sevens; groups do not leave this machine's network (TTL 1).
 * Settles when the first datagram can be sent.
 * @throws when the recording cannot be read, or the interface cannot send to the address.
 */
export async function startLoop(options: LoopOptions): Promise<LoopSender> {
  const packets = playLoop(readLoop(readFileSync(options.file)));
  const socket = await openSocket(options);
  const pacer = new Pacer(packets, options.rtp, (datagram) => socket.send(datagram, options.port, options.address));
  const timer = setInterval(() => pacer.advance(performance.now()), tick);
  return {
    stop: async () => {
      clearInterval(timer);
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

async function openSocket(options: LoopOptions): Promise<Socket> {
  const v6 = isIPv6(options.address);
  const socket = createSocket(v6 ? 'udp6' : 'udp4');
  // A route that vanishes for a moment costs datagrams, not the sender.
  socket.on('error', () => undefined);
  socket.bind();
  await once(socket, 'listening');
  socket.setMulticastInterface(options.interface ?? (v6 ? '::%lo' : '127.0.0.1'));
  socket.setMulticastTTL(1);
  return socket;
}

class Pacer {
  readonly #packets: Generator<LoopPacket, never>;
  readonly #rtp: boolean;
  readonly #send: (datagram: Uint8Array) => void;
  #next: LoopPacket[] = [];
  #sequence = 0;
  /** Milliseconds of `performance.now` at which the recording's time 0 was. */
  #start: number | null = null;

  constructor(packets: Generator<LoopPacket, never>, rtp: boolean, send: (datagram: Uint8Array) => void) {
    this.#packets = packets;
    this.#rtp = rtp;
    this.#send = send;
  }

  /** Sends what is due. */
  advance(now: number): void {
    this.#start ??= now;
    for (;;) {
      while (this.#next.length < packetsPerDatagram) this.#next.push(this.#packets.next().value);
      const [first] = this.#next;
      const due = this.#start + (first?.due ?? 0) / 27_000;
      if (due > now) return;
      if (now - due > patience) this.#start += now - due;
      this.#send(this.#datagram(first?.due ?? 0));
      this.#next = [];
    }
  }

  /** RFC 3550 §5.1 with a 90 kHz clock. */
  #datagram(ticks: number): Uint8Array {
    const header = this.#rtp ? 12 : 0;
    const datagram = Buffer.alloc(header + packetsPerDatagram * packetSize);
    for (const [index, { bytes }] of this.#next.entries()) datagram.set(bytes, header + index * packetSize);
    if (this.#rtp) {
      datagram.writeUInt16BE(0x8021, 0);
      datagram.writeUInt16BE(this.#sequence, 2);
      datagram.writeUInt32BE(Math.floor(ticks / 300) % 2 ** 32, 4);
      datagram.writeUInt32BE(0x57454952, 8);
      this.#sequence = (this.#sequence + 1) & 0xffff;
    }
    return datagram;
  }
}
