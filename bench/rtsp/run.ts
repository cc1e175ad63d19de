import { writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { judgeCeiling, judgeDelivery, judgeRatio, runsOf, type Series, type Verdict } from '../budgets.js';
import { buildTools, type Contender, configured, peersIn, tool, weirIsBuilt } from '../contenders.js';
import { type Lab, openLab } from '../lab.js';
import { datagramRate, measureBy } from '../measure.js';
import { failureList, loadTable, verdictTable } from '../report.js';
import { nodeMust, type RtspPlan, rtspPlans } from './plans.js';

export type RtspOptions = {
  /** Directory with rtp2httpd, or null to measure Weir alone. */
  readonly peers: string | null;
  readonly runs: number;
  /** Of each window. */
  readonly seconds: number;
  /** Short names of loads, or null for all. */
  readonly loads: readonly string[] | null;
  /** File for everything measured, or null. */
  readonly json: string | null;
};

type PlanSeries = { readonly plan: RtspPlan; readonly series: readonly Series[] };

const port = 8554;

/**
 * Weir beside rtp2httpd, each the relay of the bench's own RTSP server, in network namespaces of their own.
 * @throws when there is nothing to measure, or the bench cannot be set up.
 */
export async function benchRtsp(options: RtspOptions): Promise<void> {
  const contenders = [
    ...(weirIsBuilt() ? [configured('weir', configurationOf)] : []),
    ...(options.peers === null ? [] : peersIn(options.peers).filter(({ name }) => name === 'rtp2httpd')),
  ];
  if (contenders.length === 0) throw new Error('Nothing to measure: build Weir (npm ci), or give --peers a directory.');
  const plans = rtspPlans.filter(({ key }) => options.loads?.includes(key) ?? true);
  if (plans.length === 0) throw new Error(`There are these loads: ${rtspPlans.map(({ key }) => key).join(', ')}.`);
  buildTools();
  const [loadBefore = 0] = loadavg();
  const lab = openLab();
  try {
    const loads: PlanSeries[] = [];
    for (const plan of plans) loads.push({ plan, series: await measureAll(lab, plan, contenders, options) });
    publish(loads, options, loadBefore);
  } finally {
    lab.close();
  }
}

/** What Weir has to be told before it asks a host for what no list of its names. */
function configurationOf(lab: Lab): string {
  return `rtsp:\n  hosts: ['${lab.sourceAddress}:${port}']\n`;
}

async function measureAll(
  lab: Lab,
  plan: RtspPlan,
  contenders: readonly Contender[],
  { runs, seconds }: RtspOptions,
): Promise<Series[]> {
  const all = contenders.map((contender) => ({
    contender,
    done: [] as Series['runs'][number][],
    failures: [] as string[],
  }));
  for (let run = 0; run < runs; run += 1) {
    // None always follows the same one.
    for (const { contender, done, failures } of run % 2 === 0 ? all : all.toReversed()) {
      const title = `run ${run + 1}/${runs}  ${plan.load.name}  ${contender.name}`;
      try {
        const result = await measureBy(lab, contender, plan.load, seconds, feedOf(lab, plan));
        process.stderr.write(`${title}: ${JSON.stringify(result)}\n`);
        done.push(result);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
        process.stderr.write(`${title} failed: ${failures.at(-1)}\n`);
      }
    }
  }
  return all.map(({ contender, done, failures }) => ({ relay: contender.name, runs: done, failures }));
}

function feedOf(lab: Lab, { load, way }: RtspPlan): Parameters<typeof measureBy>[4] {
  const channels = ['--channels', `${load.groups}`, '--mbps', `${load.mbps}`];
  return {
    sender: [tool('rtsp_serve'), ...channels, '--host', lab.sourceAddress, '--port', `${port}`, '--way', way],
    path: (channel) => `/rtsp/${lab.sourceAddress}:${port}/s${channel}`,
  };
}

function publish(loads: readonly PlanSeries[], options: RtspOptions, loadBefore: number): void {
  const verdicts = loads.flatMap(judge);
  const machine = { kernel: release(), cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown', loadBefore };
  const parts = [
    `${options.runs} interleaved runs of ${options.seconds} s · ${machine.cpus} × ${machine.model} · Linux ${machine.kernel}`,
    `Load average before: ${loadBefore.toFixed(2)}. Anything above 0.3 or so means that something else ran too.`,
    ...loads.flatMap(tableOf),
    '### Budgets',
    verdictTable(verdicts),
  ];
  process.stdout.write(`${parts.join('\n\n')}\n`);
  if (options.json === null) return;
  writeFileSync(options.json, `${JSON.stringify({ machine, options, loads, verdicts }, null, 2)}\n`);
}

function judge({ plan, series }: PlanSeries): Verdict[] {
  const { name } = plan.load;
  const delivery = judgeDelivery(name, series);
  if (plan.ratio === null) return [delivery];
  const node = runsOf(series, 'weir').map((run) => run.restCpu);
  return [
    judgeRatio(name, series, plan.ratio),
    delivery,
    judgeCeiling(`Node, ${name}`, node, { unit: '% CPU', must: nodeMust, aim: null }),
  ];
}

function tableOf({ plan: { load }, series }: PlanSeries): string[] {
  const measured = series.filter(({ runs }) => runs.length > 0);
  return [
    `### ${load.name}`,
    `${datagramRate(load).toFixed(0)} packets of RTP a second come in by each session that is shared; rtp2httpd makes one for each viewer.`,
    ...(measured.length > 0 ? [loadTable(measured)] : []),
    ...failureList(series),
  ];
}
