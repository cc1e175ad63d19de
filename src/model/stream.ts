import type { Wish } from './archive.js';

/** Datagrams, multicast or unicast. */
export type DatagramUpstream = {
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

/** A session of RTSP (RFC 2326). Equal addresses are one upstream, account included. */
export type RtspUpstream = {
  readonly kind: 'rtsp';
  /**
   * As the list writes it, byte for byte: signatures cover the spelling. With user and password where it has them; of a stream that
   * is open without.
   */
  readonly url: string;
  /** The connection is bound to an address of this interface, or null. */
  readonly interface: string | null;
};

/** What the relay is asked to receive. Viewers of equal upstreams share one stream, but for archives. */
export type Upstream = DatagramUpstream | RtspUpstream;

/** `opening` until the first media, `live` while it flows, `silent` when it has stopped, `lingering` without viewers. */
export type StreamState = 'opening' | 'live' | 'silent' | 'lingering';

/**
 * The health of the TS that a stream receives, as ETSI TR 101 290 measures it: the first priority (§5.2.1, indicators 1.1 to
 * 1.6, continuity being `StreamStatus.continuityErrors`), and of the second (§5.2.2) transport, CRC and PCR errors.
 * Counts are since the stream opened; intervals are in seconds, the longest within the last second or so, null while
 * unknown.
 */
export type StreamHealth = {
  /** Times that the sync bytes were lost (1.1, 1.2). */
  readonly syncLosses: number;
  /** Times that no PAT came for 500 ms, or that PID 0 was scrambled or carried another table (1.3). */
  readonly patErrors: number;
  /** The same of the PMTs that the PAT names (1.5). */
  readonly pmtErrors: number;
  /** Times that nothing came for 5 s of a component that a PMT names (1.6). */
  readonly pidErrors: number;
  /** Packets with transport_error_indicator: damaged before they were sent here (2.1). */
  readonly transportErrors: number;
  /** PAT and PMT sections whose CRC-32 is wrong (2.2). */
  readonly crcErrors: number;
  /** PCRs more than 100 ms after the one before, or a jump of the clock that is not announced (2.3). */
  readonly pcrErrors: number;
  /** Packets with transport_scrambling_control other than 0. */
  readonly scrambled: number;
  /** From one PAT to the next; 0.5 at most (1.3). */
  readonly patInterval: number | null;
  /** From one section of a PMT to the next; 0.5 at most (1.5). */
  readonly pmtInterval: number | null;
  /** From one PCR of a programme to the next; 0.1 at most (2.3), 0.04 where DVB is followed to the letter. */
  readonly pcrInterval: number | null;
  /** How far PCRs and their arrival differ: what a player's clock has to smooth, the network's share included. */
  readonly pcrJitter: number | null;
};

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
  /** Bytes kept for viewers that come later: what was sent since the newest picture that stands alone. */
  readonly lookBack: number;
  /** How a session of RTSP brings its media, once agreed; null of datagrams. */
  readonly transport: 'tcp' | 'udp' | null;
  /** Seconds of programme clock that have come, or null while no clock was seen or the kind does not count them. */
  readonly media: number | null;
  /** What of the past it brings, or null when it is live. */
  readonly archive: Wish | null;
  readonly health: StreamHealth;
};

export const pidRoles = ['pat', 'pmt', 'component', 'null'] as const;

/** One PID of a stream's TS (ISO/IEC 13818-1 §2.4.3.3). Totals are since the stream opened. */
export type PidStatus = {
  /** 0…8191. */
  readonly pid: number;
  /** `null` for null packets; null when no table names it. */
  readonly role: (typeof pidRoles)[number] | null;
  /** stream_type of the PMT (§2.4.4.9, table 2-34), or null when it is not a component. */
  readonly type: number | null;
  /** Whether it carries the PCR of a programme. */
  readonly pcr: boolean;
  readonly packets: number;
  /** Bits per second over the last second or so. */
  readonly bitrate: number;
  readonly continuityErrors: number;
  readonly scrambled: number;
};

/** A stream with what is in it. */
export type StreamDetail = StreamStatus & {
  /** Sorted by PID. */
  readonly pids: readonly PidStatus[];
};
