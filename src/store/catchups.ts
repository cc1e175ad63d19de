import type { ChannelCatchup } from '../model/archive.js';

/** How the past of channels is asked for. */
export interface Catchups {
  /** What holds of a published channel, or null when it has no archive. */
  of(channel: number): Promise<ChannelCatchup | null>;
}
