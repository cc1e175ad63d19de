/** What the relay is asked to receive. Viewers of equal upstreams share one stream. */
export type Upstream = {
  /** `udp` and `rtp` are received alike; what the datagrams hold is told from their content. */
  readonly kind: 'udp' | 'rtp';
  /** Group or unicast address: an IPv4 or IPv6 literal without brackets. */
  readonly address: string;
  /** 1…65535. */
  readonly port: number;
  /** The only sender accepted (RFC 4607 for groups), or null for any. */
  readonly source: string | null;
  /** Network interface to receive on, or null for the configured one, else the kernel's choice by route. */
  readonly interface: string | null;
};

/** `opening` until the first media, `live` while it flows, `silent` when it has stopped, `lingering` without viewers. */
export type StreamState = 'opening' | 'live' | 'silent' | 'lingering';

/** One open stream as the pump counts it. Totals are since the stream opened. */
export type StreamStatus = {
  readonly id: string;
  readonly upstream: Upstream;
  readonly state: StreamState;
  /** What the datagrams hold, once known. */
  readonly format: 'ts' | 'rtp-ts' | 'rtp' | null;
  /** Seconds since the stream opened. */
  readonly uptime: number;
  readonly viewers: number;
  readonly packets: number;
  /** Media bytes put in the ring. */
  readonly bytes: number;
  /** Media bits per second over the last second or so. */
  readonly bitrate: number;
  /** TS continuity errors (ISO/IEC 13818-1 §2.4.3.3) in what was received. */
  readonly continuityErrors: number;
  /** RTP packets that came out of order and were put in order. */
  readonly reordered: number;
  readonly duplicates: number;
  /** RTP sequence numbers that never came in time. */
  readonly lost: number;
  /** Datagrams, or parts of them, that were not media. */
  readonly strays: number;
  /** Datagrams that the kernel dropped because the receive buffer was full. */
  readonly kernelDrops: number;
  /** Times that the sender was seen to start anew (SSRC or sequence jump). */
  readonly restarts: number;
  /** Times that the group was joined again because nothing came. */
  readonly rejoins: number;
  /** Jumps of all viewers of this stream so far. */
  readonly jumps: number;
};
