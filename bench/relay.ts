import { loadavg } from 'node:os';
import { buildTools, type Contender, peersIn, weir, weirIsBuilt, weirWithoutLookBack } from './contenders.js';
import { measureFirstByte } from './first-byte.js';
import { type Lab, openLab } from './lab.js';
import { type LoadResult, measureLoad } from './measure.js';
import { firstByteRates, type LoadSeries, plans, restLoad } from './plans.js';
import { type PublishOptions, publish } from './publish.js';
import type { FirstByteSeries, ZapSeries } from './report.js';
import { measureZaps } from './zap.js';

export type RelayOptions = PublishOptions & {
  /** Directory with the peers' programs, or null to measure Weir alone. */
  readonly peers: string | null;
  /** Names of those to measure, or null for all that are found. */
  readonly only: readonly string[] | null;
  /** Cold streams opened one after another, and viewers that zap to an open one, in each run. */
  readonly coldStarts: number;
  readonly zaps: number;
};

/**
 * Measures Weir, if it is built, and the peers side by side, and prints tables and verdicts on standard output, progress on
 * standard error. A relay that fails under a load is shown as such. Needs root.
 * @throws when there is nothing to measure or the tools cannot be built.
 */
export async function benchRelay(options: RelayOptions): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('The bench makes network namespaces: run it as root.');
  const contenders = chosen(options);
  const viewedAgain = contenders.filter((one) => one !== weirWithoutLookBack);
  const { loads } = options;
  buildTools();
  const [loadBefore = 0] = loadavg();
  const lab = openLab();
  try {
    const measured = {
      loads: await runLoads(lab, contenders, options),
      rest: loads.has('rest') ? await measureRest(lab, contenders, options) : null,
      firstBytes: loads.has('first-byte') ? await runFirstBytes(lab, viewedAgain, options) : null,
      zaps: loads.has('zap') ? await runZaps(lab, viewedAgain, options) : null,
    };
    publish(measured, options, loadBefore);
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
  { loads, runs, seconds }: RelayOptions,
): Promise<LoadSeries[]> {
  const results = plans
    .filter(({ key }) => loads.has(key))
    .map((plan) => ({
      plan,
      series: contenders.map((contender) => ({ relay: contender.name, contender, ...newSeries(contender, plan.load) })),
    }));
  for (let run = 0; run < runs; run += 1) {
    for (const { plan, series } of results) {
      for (const { contender, runs: done, failures } of rotated(series, run)) {
        if (contender.most < plan.load.viewers) continue;
        const title = `run ${run + 1}/${runs}  ${plan.load.name}  ${contender.name}`;
        const result = await attempt(title, () => measureLoad(lab, contender, plan.load, seconds));
        if (typeof result === 'string') failures.push(result);
        else done.push(result);
      }
    }
  }
  return results.map(({ plan, series }) => ({
    plan,
    series: series.map(({ relay, runs: done, failures }) => ({ relay, runs: done, failures })),
  }));
}

function newSeries(contender: Contender, load: { viewers: number }): { runs: LoadResult[]; failures: string[] } {
  const failures = contender.most < load.viewers ? [`It can be set to serve ${contender.most} viewers at most.`] : [];
  return { runs: [], failures };
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
      const title = `run ${run + 1}/${runs}  first byte at ${mbps} Mbit/s  ${contender.name}`;
      values.push(
        ...orNothing(await attempt(title, () => measureFirstByte(lab, contender, mbps, coldStarts)), coldStarts),
      );
    }
  }
  return all.map(({ mbps, contender, values }) => ({ relay: contender.name, mbps, values }));
}

async function runZaps(lab: Lab, contenders: readonly Contender[], { runs, zaps }: RelayOptions): Promise<ZapSeries[]> {
  const all = contenders.map((contender) => ({ contender, values: [] as (number | null)[] }));
  for (let run = 0; run < runs; run += 1) {
    for (const { contender, values } of rotated(all, run)) {
      const title = `run ${run + 1}/${runs}  zap  ${contender.name}`;
      values.push(...orNothing(await attempt(title, () => measureZaps(lab, contender, zaps)), zaps));
    }
  }
  return all.map(({ contender, values }) => ({ relay: contender.name, values }));
}

/** One window of Weir long after its start; a quick bench has no time for it. */
async function measureRest(
  lab: Lab,
  contenders: readonly Contender[],
  { seconds }: RelayOptions,
): Promise<LoadResult[]> {
  if (seconds < 3 || !contenders.includes(weir)) return [];
  const result = await attempt('at rest  weir', () => measureLoad(lab, weir, restLoad, seconds));
  return typeof result === 'string' ? [] : [result];
}

/** What was measured, or why it could not be: one relay's failure does not cost the others' figures. */
async function attempt<T extends object>(title: string, measure: () => Promise<T>): Promise<T | string> {
  try {
    const result = await measure();
    process.stderr.write(`${title}: ${JSON.stringify(result)}\n`);
    return result;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${title} failed: ${reason}\n`);
    return reason;
  }
}

function orNothing(values: readonly (number | null)[] | string, count: number): readonly (number | null)[] {
  return typeof values === 'string' ? Array.from({ length: count }, () => null) : values;
}

/** Another order each run, so that none always follows the same one. */
function rotated<T>(list: readonly T[], by: number): T[] {
  const at = by % Math.max(list.length, 1);
  return [...list.slice(at), ...list.slice(0, at)];
}
