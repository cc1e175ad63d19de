import type { ZoneClock } from '../../lib/zone-clock.js';
import type { Wish } from '../../model/archive.js';

export type Asked = {
  /** Epoch seconds. */
  readonly now: number;
  /** Of times without a zone, unless the user agent names one. */
  readonly zone: ZoneClock;
  readonly userAgent: string;
};

/**
 * What a player asks of the past; null when it asks for live.
 * @param query as it stood in the request line, without `?`.
 * @throws WeirError `invalid` when it is no time, or a placeholder was left in it.
 */
export declare function readWish(query: string, how: Asked): Wish | null;
