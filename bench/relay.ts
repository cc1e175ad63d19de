import { writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { buildTools, type Contender, peersIn, weir, weirIsBuilt, weirWithoutLookBack } from './contenders.js';
import { measureFirstByte } from './first-byte.js';
import { judge, type Measured } from './judge.js';
import { type Lab, openLab } from './lab.js';
import { type LoadResult, measureLoad } from './measure.js';
import { firstByteRates, type LoadSeries, plans, restLoad } from './plans.js';
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

/**
 * Measures Weir, if it is built, and the peers side by side, and prints tables and verdicts on standard output, progress on
 * standard error. Needs root.
 * @throws when there is nothing to measure, the tools cannot be built, or a relay does not start.
 */
export async function benchRelay(options: RelayOptions): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('The bench makes network namespaces: run it as root.');
  const contenders = chosen(options);
  buildTools();
  const [loadBefore = 0] = loadavg();
  const lab = openLab();
  try {
    const loads = await runLoads(lab, contenders, options);
    const rest = contenders.includes(weir) ? await measureRest(lab, options) : [];
    const firstBytes = await runFirstBytes(
      lab,
      contenders.filter((one) => one !== weirWithoutLookBack),
      options,
    );
    publish({ loads, rest, firstBytes }, options, loadBefore);
  } finally {
    lab.close();
  }
}

function chosen({ peers, only }: RelayOptions): Contender[] {
  const found = [...(weirIsBuilt() ? [weir, weirWithoutLookBack] : []), ...(peers === null ? [] : peersIn(peers))];
  const contenders = found.filter(({ name }) => only === null || only.includes(name));
  if (contenders.length === 0) throw new Error('Nothing to measure: build Weir (npm ci), or give --peers a directory.');
  return contenders;
}

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

/** One window of Weir long after its start; a quick bench has no time for it. */
async function measureRest(lab: Lab, { seconds }: RelayOptions): Promise<LoadResult[]> {
  return seconds < 3 ? [] : [await measureLoad(lab, weir, restLoad, seconds)];
}

function publish(measured: Measured, options: RelayOptions, loadBefore: number): void {
  const { loads, firstBytes } = measured;
  const verdicts = judge(measured);
  const machine = {
    kernel: release(),
    cpus: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    loadBefore,
  };
  const parts = [
    `${options.runs} interleaved runs of ${options.seconds} s · ${machine.cpus} × ${machine.model} · Linux ${machine.kernel}`,
    `Load average before: ${loadBefore.toFixed(2)}. Anything above 0.3 or so means that something else ran too.`,
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

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}
