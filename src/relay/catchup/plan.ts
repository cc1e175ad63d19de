import type { ZoneClock } from '../../lib/zone-clock.js';
import type { ChannelCatchup, Wish } from '../../model/archive.js';
import type { Headers } from '../../model/entry.js';

/** What the provider is asked. */
export type PlannedArchive = {
  readonly url: string;
  readonly headers: Headers;
  /** `Range` of PLAY (RFC 2326 §12.29), or null. */
  readonly range: string | null;
  /** Placeholders that stayed as they are. */
  readonly unknown: readonly string[];
};

/**
 * Says how a part of a channel's past is asked for. `now` and `openEnd`, what stands for an end that is open, are epoch seconds.
 * `household` is the clock of channels without a zone.
 */
export declare function planArchive(
  catchup: ChannelCatchup,
  wish: Wish,
  at: { readonly now: number; readonly openEnd: number | null; readonly household: ZoneClock },
): PlannedArchive | { readonly problem: string };
