import type { ChannelFilter } from './channel.js';

/** A selection of channels with an order and numbers of its own, published at `/lineups/{slug}/playlist.m3u`. */
export type Lineup = {
  readonly id: number;
  /** Lower case letters, digits and hyphens; in addresses. */
  readonly slug: string;
  readonly name: string;
  /** What it holds besides its items, or null for its items alone. */
  readonly filter: ChannelFilter | null;
  readonly version: number;
};

/** A channel that was put into a line-up, or taken out of it. */
export type LineupItem = {
  readonly channel: number;
  /** Where it stands; those without one follow in the order of the whole list. */
  readonly order: number | null;
  /** Its number in this line-up, or null for its own. */
  readonly number: string | null;
  /** Whether it is kept out although the filter would let it in. */
  readonly excluded: boolean;
};
