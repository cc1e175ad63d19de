import type { Actor, Change } from './change.js';
import type { ChannelFilter } from './channel.js';

/** Which channels something is done to. */
export type Selection = { readonly ids: readonly number[] } | { readonly filter: ChannelFilter };

/**
 * Who does it, and what they believe to stand there: `ifMatch` is the `etag` of a channel, or the `version` of anything else
 * as text, both without quotes; where another one stands it is `precondition-failed`.
 */
export type By = { readonly actor: Actor; readonly ifMatch?: string | undefined };

/** What an edit did, or would do. */
export type Edited = {
  /** Null for a dry run, and when nothing had to be changed. */
  readonly change: Change | null;
  readonly rows: number;
};
