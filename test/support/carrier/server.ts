import type { Quirk } from './quirks.js';

export type CarrierOptions = {
  /** Loopback's own address unless said. */
  readonly host?: string;
  /** One that is free unless said. */
  readonly port?: number;
  readonly quirks?: readonly Quirk[];
  /** Account that is asked for with q22…q25. */
  readonly account?: { readonly user: string; readonly password: string };
  /** Ways that it takes. */
  readonly ways?: readonly ('tcp' | 'udp')[];
  /** Seconds of media that an archive has; endless unless said. */
  readonly length?: number;
  /** Packets of TS a second. */
  readonly rate?: number;
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
  /** Packets of TS that were sent to it. */
  readonly sent: number;
  /** How it ended; null while it lasts. */
  readonly end: 'teardown' | 'gone' | 'forgotten' | null;
};

/** A server of RTSP whose media are packets of TS with numbers, so that what is lost is seen to the byte. */
export interface Carrier {
  readonly port: number;
  /** Its address of a path that begins with a slash. */
  url(path: string): string;
  readonly requests: readonly CarrierRequest[];
  readonly sessions: readonly CarrierSession[];
  /** Datagrams that came to its ports. */
  readonly datagrams: readonly { readonly socket: 'rtp' | 'rtcp' | 'stun'; readonly data: Buffer }[];
  /** Resolves when a look at it finds something. */
  seen<T>(what: string, look: (carrier: Carrier) => T | undefined): Promise<T>;
  /** Cuts all connections, without a word. */
  cut(): void;
  close(): Promise<void>;
}

type Owner = { after(undo: () => void | Promise<void>): void };

/** Starts one that ends with its test. */
export declare function startCarrier(owner: Owner, options?: CarrierOptions): Promise<Carrier>;
