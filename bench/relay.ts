import { writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import {
  judgeCeiling,
  judgeDelivery,
  judgeRatio,
  type RatioBudget,
  runsOf,
  type Series,
  type Verdict,
} from './budgets.js';
import { type Contender, peersIn, tool, weir, weirIsBuilt } from './contenders.js';
import { measureFirstByte } from './first-byte.js';
import { type Lab, openLab } from './lab.js';
import { type Load, type LoadResult, measureLoad } from './measure.js';
import { type FirstByteSeries, firstByteTable, loadTable, verdictTable } from './report.js';

export type RelayOptions = {
  /** Directory with the peers' programs, or null to measure Weir alone. */
  readonly peers: string | null;
  /** Names of those to measure, or null for all that are found. */
  readonly only: readonly string[] | null;
  readonly runs: number;
  /** Length of each measuring window. */
  readonly seconds: number;
  /** Cold streams opened one after another in each run. */
  readonly coldStarts: number;
  /** File for everything measured, or null. */
  readonly json: string | null;
};

type Plan = { readonly load: Load; readonly ratio: RatioBudget | null };

const plans: readonly Plan[] = [
  {
    load: { name: '8 groups × 40 Mbit/s → 8 viewers', groups: 8, mbps: 40, viewers: 8, stall: 0 },
    ratio: { must: 0.6, aim: 0.45 },
  },
  {
    load: { name: '1 group × 40 Mbit/s → 8 viewers', groups: 1, mbps: 40, viewers: 8, stall: 0 },
    ratio: { must: 0.9, aim: 0.65 },
  },
  {
    load: { name: '1 × 400 Mbit/s → 1 viewer', groups: 1, mbps: 400, viewers: 1, stall: 0 },
    ratio: { must: 0.6, aim: 0.45 },
  },
  {
    load: { name: '1 × 40 Mbit/s → 2 viewers, one stalled 0.5 s', groups: 1, mbps: 40, viewers: 2, stall: 500 },
    ratio: null,
  },
];
const firstByteRates = [0.128, 40];

/**
 * Measures Weir, if it is built, and the peers side by side, and prints tables and verdicts on standard output, progress on
 * standard error. Needs root.
 * @throws when there is nothing to measure, or a relay does not start.
 */
export async function benchRelay(options: RelayOptions): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('The bench makes network namespaces: run it as root.');
  for (const name of ['send', 'watch'] as const) tool(name);
  const contenders = chosen(options);
  const lab = openLab();
  try {
    const loads = await runLoads(lab, contenders, options);
    const firstBytes = await runFirstBytes(lab, contenders, options);
    publish(loads, firstBytes, options);
  } finally {
    lab.close();
  }
}

function chosen({ peers, only }: RelayOptions): Contender[] {
  const found = [...(weirIsBuilt() ? [weir] : []), ...(peers === null ? [] : peersIn(peers))];
  const contenders = found.filter(({ name }) => only === null || only.includes(name));
  if (contenders.length === 0) throw new Error('Nothing to measure: build Weir (npm ci), or give --peers a directory.');
  return contenders;
}

type LoadSeries = { readonly plan: Plan; readonly series: readonly Series[] };

async function runLoads(
  lab: Lab,
  contenders: readonly Contender[],
  { runs, seconds }: RelayOptions,
): Promise<LoadSeries[]> {
  const results = plans.map((plan) => ({
    plan,
    series: contenders.map(({ name }) => ({ relay: name, runs: [] as LoadResult[] })),
  }));
  for (let run = 0; run < runs; run += 1) {
    for (const { plan, series } of results) {
      for (const contender of rotated(contenders, run)) {
        const result = await measureLoad(lab, contender, plan.load, seconds);
        series.find(({ relay }) => relay === contender.name)?.runs.push(result);
        progress(`run ${run + 1}/${runs}  ${plan.load.name}  ${contender.name}: ${JSON.stringify(result)}`);
      }
    }
  }
  return results;
}

async function runFirstBytes(
  lab: Lab,
  contenders: readonly Contender[],
  { runs, coldStarts }: RelayOptions,
): Promise<FirstByteSeries[]> {
  const all = firstByteRates.flatMap((mbps) =>
    contenders.map((contender) => ({ mbps, contender, values: [] as (number | null)[] })),
  );
  for (let run = 0; run < runs; run += 1) {
    for (const { mbps, contender, values } of rotated(all, run)) {
      const measured = await measureFirstByte(lab, contender, mbps, coldStarts);
      values.push(...measured);
      progress(`run ${run + 1}/${runs}  first byte at ${mbps} Mbit/s  ${contender.name}: ${JSON.stringify(measured)}`);
    }
  }
  return all.map(({ mbps, contender, values }) => ({ relay: contender.name, mbps, values }));
}

/** Another order each run, so that none always follows the same one. */
function rotated<T>(list: readonly T[], by: number): T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

function publish(loads: readonly LoadSeries[], firstBytes: readonly FirstByteSeries[], options: RelayOptions): void {
  const verdicts = judge(loads, firstBytes);
  const machine = {
    kernel: release(),
    cpus: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    node: process.version,
  };
  const parts = [
    `${options.runs} interleaved runs of ${options.seconds} s · ${machine.cpus} × ${machine.model} · Linux ${machine.kernel}`,
    ...loads.flatMap(({ plan, series }) => [`### ${plan.load.name}`, loadTable(series)]),
    '### First byte of a cold stream, from the arrival of its first PAT and PMT',
    firstByteTable(firstBytes),
    '### Budgets',
    verdictTable(verdicts),
  ];
  process.stdout.write(`${parts.join('\n\n')}\n`);
  if (options.json === null) return;
  const record = {
    machine,
    options,
    loads: loads.map(({ plan, series }) => ({ load: plan.load, series })),
    firstBytes,
    verdicts,
  };
  writeFileSync(options.json, `${JSON.stringify(record, null, 2)}\n`);
}

function judge(loads: readonly LoadSeries[], firstBytes: readonly FirstByteSeries[]): Verdict[] {
  const measured = loads.filter(({ plan }) => plan.ratio !== null);
  const ours = measured.map(({ plan, series }) => ({ name: plan.load.name, runs: runsOf(series, 'weir') }));
  const node = ours.flatMap(({ runs }) => runs);
  return [
    ...loads.flatMap(({ plan, series }) =>
      plan.ratio === null ? [] : [judgeRatio(plan.load.name, series, plan.ratio)],
    ),
    ...loads.map(({ plan, series }) => judgeDelivery(plan.load.name, series)),
    ...ours.map(({ name, runs }) =>
      judgeCeiling(
        `pump USS, ${name}`,
        runs.map((run) => run.pumpUss),
        'MB',
        3,
        1.7,
      ),
    ),
    judgeCeiling(
      'CPU of Node while streams run',
      node.map((run) => run.restCpu),
      '%',
      0.5,
      0.1,
    ),
    judgeCeiling(
      'wake-ups of Node while streams run',
      node.map((run) => run.restWakeUps),
      'a second',
      50,
      1,
    ),
    ...firstByteRates.map((mbps) => {
      const values = firstBytes.find((one) => one.relay === 'weir' && one.mbps === mbps)?.values ?? [];
      return judgeCeiling(`first byte at ${mbps} Mbit/s`, values, 'ms', 20, 12);
    }),
  ];
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
