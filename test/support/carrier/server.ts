import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { until } from '../until.js';
import { Gate } from './auth.js';
import { Dialogue } from './dialogue.js';
import type { Fault } from './faults.js';
import type { Desk } from './methods.js';
import { startStun } from './pair.js';
import type { Quirk } from './quirks.js';
import { type Datagram, State } from './state.js';

export type CarrierOptions = {
  /** Loopback's own address unless said. */
  readonly host?: string;
  /** One that is free unless said. */
  readonly port?: number;
  readonly quirks?: readonly Quirk[];
  readonly fault?: Fault;
  /** Account that is asked for, by Basic unless q23…q25 say otherwise. */
  readonly account?: { readonly user: string; readonly password: string };
  /** Ways that it takes. */
  readonly ways?: readonly ('tcp' | 'udp')[];
  /** How many sessions there may be at one time. */
  readonly most?: number;
  /** Seconds of media that an archive has; endless unless said. */
  readonly length?: number;
  /** Packets of TS a second of the programme, 500 unless said; the first of a session has number `position` × `rate`. */
  readonly rate?: number;
  /** A recording that is played in place of numbered packets. */
  readonly recording?: string;
  /** Seconds of the programme that are sent in one; 1 unless said. */
  readonly speed?: number;
  /** Where in the programme a PLAY begins, in seconds; 0 unless said. */
  readonly position?: (play: { readonly url: string; readonly range: string | null }) => number;
  /** Milliseconds before each answer. */
  readonly delay?: number;
};

export type CarrierRequest = {
  /** The instant in milliseconds of `performance.now()`, and which connection it came by. */
  readonly at: number;
  readonly connection: number;
  readonly method: string;
  /** As it stands in the request line. */
  readonly url: string;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

export type CarrierSession = {
  readonly id: string;
  readonly url: string;
  readonly way: 'tcp' | 'udp';
  /** Packets of TS that were sent to it. The tag of its media is its place among the sessions, from 1 on. */
  readonly sent: number;
  /** How it ended; null while it lasts. One by UDP outlives its connection. */
  readonly end: 'teardown' | 'gone' | 'forgotten' | null;
};

/** A server of RTSP whose media are packets of TS with numbers, so that what is lost is seen to the byte. */
export interface Carrier {
  readonly port: number;
  /** Its address of a path that begins with a slash, with the account where one is asked for. */
  url(path: string): string;
  readonly requests: readonly CarrierRequest[];
  readonly sessions: readonly CarrierSession[];
  /** Datagrams that came to its ports, and frames by its connections. */
  readonly datagrams: readonly Datagram[];
  /** First lines of what clients answered to its own requests. */
  readonly answers: readonly string[];
  /** Connections that stand. */
  readonly connections: number;
  /** Resolves when a look at it finds something. */
  seen<T>(what: string, look: (carrier: Carrier) => T | undefined, within?: number): Promise<T>;
  /** Cuts all connections, without a word. */
  cut(): void;
  close(): Promise<void>;
}

type Owner = { after(undo: () => void | Promise<void>): void };

/** Starts one that ends with its test. */
export async function startCarrier(owner: Owner, options: CarrierOptions = {}): Promise<Carrier> {
  const state = new State(options);
  const desk: Desk = { state, gate: new Gate(state), open: new Map(), answers: [] };
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    new Dialogue(desk, socket, ++connections);
  });
  server.listen(options.port ?? 0, state.host);
  await once(server, 'listening');
  const address = server.address();
  state.port = typeof address === 'object' && address !== null ? address.port : 0;
  const stun = state.has('q36') ? await startStun(state) : null;
  const cut = () => {
    // One that is ending cannot be reset any more.
    for (const socket of sockets) socket.writableEnded ? socket.destroy() : socket.resetAndDestroy();
  };
  let closed: Promise<unknown> | null = null;
  const close = async () => {
    if (closed === null) {
      closed = once(server, 'close');
      for (const session of desk.open.values()) session.end('gone');
      stun?.close();
      server.close();
      cut();
    }
    await closed;
  };
  owner.after(close);
  return carrierOf(desk, () => sockets.size, { cut, close });
}

function carrierOf(desk: Desk, connections: () => number, ends: Pick<Carrier, 'cut' | 'close'>): Carrier {
  const { state, answers } = desk;
  const { requests, sessions, datagrams } = state;
  const account = state.asksForPassword ? `${state.user}:${state.password}@` : '';
  const carrier: Carrier = {
    port: state.port,
    url: (path) => `rtsp://${account}${state.authority}${path}`,
    requests,
    sessions,
    datagrams,
    answers,
    get connections() {
      return connections();
    },
    seen: async (what, look, within = 8_000) => {
      const found = await until(
        what,
        () => [look(carrier)].filter((one) => one !== undefined).map((one) => ({ one }))[0],
        {
          within,
        },
      );
      return found.one;
    },
    ...ends,
  };
  return carrier;
}
