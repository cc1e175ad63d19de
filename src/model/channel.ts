import type { Upstream } from './stream.js';

/** What Weir publishes: the effective values, an edit by the user winning over what the provider said. */
export type Channel = {
  /** Ours, never reused. */
  readonly id: number;
  /** Short, stable, ours: names the channel in `/stream/{key}`. */
  readonly key: string;
  readonly name: string;
  readonly groups: readonly string[];
  readonly logo: string | null;
  readonly tvgId: string | null;
  readonly upstream: Upstream;
  /** Seconds between membership reports while it is received, or null for the configured time; 0 is never. */
  readonly membershipRefresh: number | null;
};
