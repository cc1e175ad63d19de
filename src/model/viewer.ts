import type { Wish } from './archive.js';
import type { Upstream } from './stream.js';

/** What Node wants to know again about a viewer after it was restarted; kept for it by the pump. */
export type ViewerNote = {
  /** Id of the published channel, or null when the address itself was asked for. */
  readonly channel: number | null;
  /** Id of the access token that was shown, or null. */
  readonly token: number | null;
  readonly userAgent: string | null;
  /** The client's address, without port. */
  readonly peer: string;
  /** What of the past was asked for, or null for live. */
  readonly archive: Wish | null;
  /** Digest of the path and query that an archive was asked for by: the same client who comes again with it goes on where it was. */
  readonly asked: string | null;
};

/** One viewer as the pump counts it. Totals are since it was attached. */
export type ViewerStatus = {
  readonly id: string;
  /** Id of the stream that it watches. */
  readonly stream: string;
  readonly upstream: Upstream;
  readonly note: ViewerNote;
  /** Seconds since it was attached. */
  readonly uptime: number;
  readonly bytes: number;
  /** Bytes received for it that its socket has not accepted yet. */
  readonly lag: number;
  /** Times that it was too slow and went on at a later place. */
  readonly jumps: number;
  /** Bytes that it missed by jumping. */
  readonly lostBytes: number;
};
