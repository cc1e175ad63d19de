import type { RatioBudget, Series } from './budgets.js';
import type { Load } from './measure.js';

/** A load, and the limits of the pump's CPU under it; null for one that shows delivery alone. */
export type Plan = { readonly load: Load; readonly ratio: RatioBudget | null };

const settle = 2_000;

export const plans: readonly Plan[] = [
  {
    load: { name: '8 groups × 40 Mbit/s → 8 viewers', groups: 8, mbps: 40, viewers: 8, stall: 0, settle },
    ratio: { must: 0.6, aim: 0.45 },
  },
  {
    load: { name: '1 group × 40 Mbit/s → 8 viewers', groups: 1, mbps: 40, viewers: 8, stall: 0, settle },
    ratio: { must: 0.9, aim: 0.65 },
  },
  {
    load: { name: '1 × 400 Mbit/s → 1 viewer', groups: 1, mbps: 400, viewers: 1, stall: 0, settle },
    ratio: { must: 0.6, aim: 0.45 },
  },
  {
    load: { name: '1 × 40 Mbit/s → 2 viewers, one stalled 0.5 s', groups: 1, mbps: 40, viewers: 2, stall: 500, settle },
    ratio: null,
  },
];

/** What Node uses when nothing is asked of it: late enough for its start to be over, garbage and all. */
export const restLoad: Load = { name: 'at rest', groups: 1, mbps: 8, viewers: 1, stall: 0, settle: 30_000 };

/** Mbit/s of the cold streams: a radio station and a picture. */
export const firstByteRates = [0.128, 40];

export type LoadSeries = { readonly plan: Plan; readonly series: readonly Series[] };
