import type { RatioBudget, Series } from './budgets.js';
import type { Load } from './measure.js';

/** A load by its short name, and the limits of the pump's CPU under it; null for one that shows what each relay does. */
export type Plan = {
  readonly key: string;
  readonly load: Load;
  readonly ratio: RatioBudget | null;
  /** Measured only when it is named or everything is: no budget needs it. */
  readonly further: boolean;
};

const settle = 2_000;
const budgeted = { stall: null, settle, further: false };
const further = { stall: null, settle, ratio: null, further: true };

export const plans: readonly Plan[] = [
  plan('8x40', '8 groups × 40 Mbit/s → 8 viewers', [8, 40, 8], { ...budgeted, ratio: { must: 0.6, aim: 0.45 } }),
  plan('1x40', '1 group × 40 Mbit/s → 8 viewers', [1, 40, 8], { ...budgeted, ratio: { must: 0.9, aim: 0.65 } }),
  plan('1x400', '1 × 400 Mbit/s → 1 viewer', [1, 400, 1], { ...budgeted, ratio: { must: 0.6, aim: 0.45 } }),
  plan('stall', '1 × 40 Mbit/s → 2 viewers, one stalled 0.5 s', [1, 40, 2], {
    ...{ ...budgeted, ratio: null },
    stall: { milliseconds: 500, mayLose: false },
  }),
  plan('stall3', '1 × 40 Mbit/s → 2 viewers, one stalled 3 s', [1, 40, 2], {
    ...further,
    stall: { milliseconds: 3_000, mayLose: true },
  }),
  plan('60x8', '1 group × 8 Mbit/s → 60 viewers', [1, 8, 60], further),
  plan('1000x0.5', '1 group × 0.5 Mbit/s → 1000 viewers', [1, 0.5, 1_000], further),
  plan('radio', '100 groups × 128 kbit/s → 100 viewers', [100, 0.128, 100], further),
  plan('radio1', '1 × 64 kbit/s → 1 viewer', [1, 0.064, 1], further),
  plan('500', '500 groups × 1 Mbit/s → 500 viewers', [500, 1, 500], further),
  plan('5000', '50 groups × 0.1 Mbit/s → 5000 viewers', [50, 0.1, 5_000], further),
];

/** What Node uses when nothing is asked of it: late enough for its start to be over, garbage and all. */
export const restLoad: Load = { name: 'at rest', groups: 1, mbps: 8, viewers: 1, stall: null, settle: 30_000 };

/** Mbit/s of the cold streams: a radio station and a picture. */
export const firstByteRates = [0.128, 40];

export type LoadSeries = { readonly plan: Plan; readonly series: readonly Series[] };

const others = ['zap', 'first-byte', 'rest'];

/** Short names of what is to be measured: those named, or everything, or what the budgets need. @throws for a name that there is not. */
export function chosenLoads(named: readonly string[] | null, all: boolean): ReadonlySet<string> {
  const known = [...plans.map(({ key }) => key), ...others];
  const unknown = named?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no load "${unknown}". There are: ${known.join(', ')}.`);
  if (named !== null) return new Set(named);
  return new Set(known.filter((name) => all || plans.find(({ key }) => key === name)?.further !== true));
}

type Rest = Pick<Load, 'stall' | 'settle'> & Pick<Plan, 'ratio' | 'further'>;

function plan(
  key: string,
  name: string,
  [groups, mbps, viewers]: readonly [number, number, number],
  { stall, settle, ratio, further }: Rest,
): Plan {
  return { key, load: { name, groups, mbps, viewers, stall, settle }, ratio, further };
}
