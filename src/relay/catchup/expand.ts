import type { ZoneClock } from '../../lib/zone-clock.js';
import type { Instants, Template } from './token.js';

export type Zones = {
  /** The provider's. */
  readonly zone: ZoneClock;
  /** What `{utc:FORMAT}` and its like are written in. */
  readonly formatted: 'utc' | 'zone';
};

/** Fills a template. */
export declare function expand(template: Template, at: Instants, zones: Zones): string;
