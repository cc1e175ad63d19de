import type { Socket } from 'node:net';
import type { StreamDetail, StreamStatus, Upstream } from '../model/stream.js';
import type { ViewerNote, ViewerStatus } from '../model/viewer.js';

export type WatchRequest = {
  readonly upstream: Upstream;
  /** Seconds between membership reports, or null for the configured time; 0 is never. Viewers who share get the shortest. */
  readonly membershipRefresh: number | null;
  /** The client's socket, its request read and nothing answered yet. */
  readonly socket: Socket;
  /** The whole response head, to go out in front of the first media bytes. */
  readonly head: string;
  readonly note: ViewerNote;
};

/** What the relay does for whoever answers requests. */
export interface Relay {
  /**
   * Gives a client's socket to the pump. Settles when the first media byte has been sent: from then on the socket is
   * the pump's and nothing may be written to it here. When it throws, nothing was written and the caller answers.
   * @throws WeirError `invalid`, `no-signal`, `join-refused`, `limit-reached` or `unavailable`.
   */
  watch(request: WatchRequest): Promise<void>;
  streams(): Promise<StreamStatus[]>;
  /** One stream with its PIDs, or null when there is none of that id. */
  stream(id: string): Promise<StreamDetail | null>;
  viewers(): Promise<ViewerStatus[]>;
  /** Ends a stream and its viewers. False when there is none of that id. */
  closeStream(id: string): Promise<boolean>;
  /** Disconnects a viewer. False when there is none of that id. */
  closeViewer(id: string): Promise<boolean>;
}
