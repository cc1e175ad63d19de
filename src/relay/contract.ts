import type { Socket } from 'node:net';
import type { Wish } from '../model/archive.js';
import type { RtspUpstream, StreamDetail, StreamStatus, Upstream } from '../model/stream.js';
import type { ViewerNote, ViewerStatus } from '../model/viewer.js';

/** An archive that is asked for, with all that a session of it needs. */
export type ArchivePlan = {
  readonly wish: Wish;
  /** What PLAY is asked with (RFC 2326 §12.29): `clock=20240101T120000Z-`, `npt=30-`, or null. */
  readonly range: string | null;
  /** Digest of token, address and user agent: who has the same is the same client. */
  readonly client: string;
  /** Digest of what was asked for: the same of the same client finds its session again. */
  readonly asked: string;
  /** Where a session begins that has already played so many seconds of this plan. */
  readonly from: (seconds: number) => { readonly url: string; readonly range: string | null };
};

/** What a server says of an address (RFC 2326 §10.2). */
export type Described = {
  /** Seconds, or null when it says none. */
  readonly duration: number | null;
  /** The part of the past that it has: epoch seconds, open when the end is null. */
  readonly clock: readonly [start: number, end: number | null] | null;
};

export type WatchRequest = {
  readonly upstream: Upstream;
  /** Seconds between membership reports, or null for the configured time; 0 is never. Viewers who share get the shortest. */
  readonly membershipRefresh: number | null;
  /** The client's socket, its request read and nothing answered yet. */
  readonly socket: Socket;
  /** The whole response head, to go out in front of the first media bytes. */
  readonly head: string;
  readonly note: ViewerNote;
  /** Null for live: then everybody who watches the upstream shares it. */
  readonly archive: ArchivePlan | null;
  /** What the upstream is told that we are, or null for the configured name. */
  readonly userAgent: string | null;
  /** How many sessions the provider allows at one time, or null when that is not known. */
  readonly sessions: number | null;
  /** Whether the upstream may be an address of this machine or its links. */
  readonly inner: boolean;
};

/** What the relay does for whoever answers requests. */
export interface Relay {
  /**
   * Gives a client's socket to the pump. Settles when the first media byte has been sent: from then on the socket is
   * the pump's and nothing may be written to it here. When it throws, nothing was written and the caller answers.
   * @throws WeirError `invalid`, `no-signal`, `join-refused`, `limit-reached`, `upstream-refused`, `upstream-timeout` or `unavailable`.
   */
  watch(request: WatchRequest): Promise<void>;
  /**
   * Asks a server about an address, and plays nothing.
   * @throws WeirError `upstream-refused`, `upstream-timeout` or `unavailable`.
   */
  describe(upstream: RtspUpstream, how: Pick<WatchRequest, 'userAgent' | 'inner'>): Promise<Described>;
  streams(): Promise<StreamStatus[]>;
  /** One stream with its PIDs, or null when there is none of that id. */
  stream(id: string): Promise<StreamDetail | null>;
  viewers(): Promise<ViewerStatus[]>;
  /** Ends a stream and its viewers. False when there is none of that id. */
  closeStream(id: string): Promise<boolean>;
  /** Disconnects a viewer. False when there is none of that id. */
  closeViewer(id: string): Promise<boolean>;
}
