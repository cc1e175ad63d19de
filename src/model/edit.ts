import type { Actor, Change } from './change.js';
import type { ChannelFilter } from './channel.js';

/** Which channels something is done to. */
export type Selection = { readonly ids: readonly number[] } | { readonly filter: ChannelFilter };

/** Who does it, and what they believe to stand there: another ETag is a `conflict`. */
export type By = { readonly actor: Actor; readonly ifMatch?: string | undefined };

/** What an edit did, or would do. */
export type Edited = {
  /** Null for a dry run, and when nothing had to be changed. */
  readonly change: Change | null;
  readonly rows: number;
};
