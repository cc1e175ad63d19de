import { judgeCeiling, judgeDelivery, judgeNode, judgeRatio, runsOf, type Verdict } from './budgets.js';
import { weirWithoutLookBack } from './contenders.js';
import type { LoadResult } from './measure.js';
import { firstByteRates, type LoadSeries } from './plans.js';
import type { FirstByteSeries, ZapSeries } from './report.js';
import { median } from './statistics.js';
import { zapRate } from './zap.js';

const ussMust = 3;

/** `rest` is Weir at rest, one window each. What was not to be measured is null. */
export type Measured = {
  readonly loads: readonly LoadSeries[];
  readonly rest: readonly LoadResult[] | null;
  readonly firstBytes: readonly FirstByteSeries[] | null;
  readonly zaps: readonly ZapSeries[] | null;
};

/** Everything measured against the budgets that Weir has set itself. */
export function judge({ loads, rest, firstBytes, zaps }: Measured): Verdict[] {
  const budgeted = loads.flatMap(({ plan, series }) =>
    plan.ratio === null ? [] : [{ name: plan.load.name, ratio: plan.ratio, series }],
  );
  return [
    ...budgeted.map(({ name, ratio, series }) => judgeRatio(name, series, ratio)),
    ...loads.map(({ plan, series }) => judgeDelivery(plan.load.name, series)),
    ...budgeted.map(({ name, series }) => judgeUss(name, series)),
    ...(rest === null ? [] : [judgeNode(rest)]),
    ...(firstBytes === null ? [] : firstByteRates.map((mbps) => judgeFirstByte(mbps, firstBytes))),
    ...(zaps === null ? [] : [judgeZap(zaps)]),
  ];
}

/** The aim is what rtp2httpd needs beside it. */
function judgeUss(load: string, series: LoadSeries['series']): Verdict {
  const rival = runsOf(series, 'rtp2httpd').map((run) => run.uss);
  const aim = rival.length === 0 ? null : median(rival);
  const ours = runsOf(series, weirWithoutLookBack.name).map((run) => run.pumpUss);
  return judgeCeiling(`pump USS, look-back off, ${load}`, ours, { unit: 'MB', must: ussMust, aim });
}

function judgeFirstByte(mbps: number, firstBytes: readonly FirstByteSeries[]): Verdict {
  const ours = firstBytes.find((one) => one.relay === 'weir' && one.mbps === mbps)?.values ?? [];
  return judgeCeiling(`first byte at ${mbps} Mbit/s`, ours, { unit: 'ms', must: 20, aim: 12 });
}

function judgeZap(zaps: readonly ZapSeries[]): Verdict {
  const ours = zaps.find(({ relay }) => relay === 'weir')?.values ?? [];
  return judgeCeiling(`zap on an open stream of ${zapRate} Mbit/s`, ours, { unit: 'ms', must: 10, aim: 3 });
}
