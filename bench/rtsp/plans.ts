import type { RatioBudget } from '../budgets.js';
import type { Load } from '../measure.js';

/** Channels by RTSP under one load; `groups` of it are channels. */
export type RtspPlan = {
  readonly key: string;
  readonly load: Load;
  readonly way: 'tcp' | 'udp';
  /** Against rtp2httpd; null for one that shows what each relay does. */
  readonly ratio: RatioBudget | null;
};

const settled = { stall: null, settle: 5_000 };

export const rtspPlans: readonly RtspPlan[] = [
  {
    key: '8x40',
    load: { name: '8 sessions × 40 Mbit/s, TCP → 8 viewers', groups: 8, mbps: 40, viewers: 8, ...settled },
    way: 'tcp',
    ratio: { must: 0.6, aim: 0.45 },
  },
  {
    key: '1x40',
    load: { name: '1 channel × 40 Mbit/s, TCP → 8 viewers', groups: 1, mbps: 40, viewers: 8, ...settled },
    way: 'tcp',
    ratio: null,
  },
  {
    key: '8x40-udp',
    load: { name: '8 sessions × 40 Mbit/s, UDP → 8 viewers', groups: 8, mbps: 40, viewers: 8, ...settled },
    way: 'udp',
    ratio: null,
  },
  {
    key: '1x400',
    load: { name: '1 session × 400 Mbit/s, TCP → 1 viewer', groups: 1, mbps: 400, viewers: 1, ...settled },
    way: 'tcp',
    ratio: null,
  },
];

/** Of the load with a budget, per cent of one CPU. */
export const nodeMust = 1;
