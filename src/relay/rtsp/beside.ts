import type { Log } from '../../lib/log.js';
import type { FeedEvents } from '../feed-frames.js';
import type { PumpLink } from '../pump-link.js';
import type { RtspSettings } from './settings.js';
import type { Wanted } from './wanted.js';

/** A stream, as others see it. */
export type One = {
  readonly id: string;
  readonly link: PumpLink;
  readonly wanted: Wanted;
  /** What counts for the provider: host, port and user. */
  readonly account: string;
  /** Host and port that were named. */
  readonly place: string;
};

/** What a stream needs of those beside it. */
export interface Beside {
  readonly settings: RtspSettings;
  readonly events: FeedEvents;
  readonly log: Log;
  /** Ends what the same client left behind at the same server, so that its place is free. */
  settle(stream: One): Promise<void>;
  /** Ends another session of the same account, if one may go. False when none may. */
  makeRoom(stream: One): Promise<boolean>;
  /** How many other sessions of the same account there are. */
  others(stream: One): number;
  /** Whether one of the same account was ended a moment ago: some servers are late to notice, and say 403. */
  hasJustLeft(stream: One): boolean;
}
