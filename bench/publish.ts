import { writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { judge, type Measured } from './judge.js';
import { datagramRate } from './measure.js';
import type { LoadSeries } from './plans.js';
import { failureList, firstByteTable, loadTable, verdictTable, zapTable } from './report.js';
import { zapRate } from './zap.js';

export type PublishOptions = {
  readonly loads: ReadonlySet<string>;
  readonly runs: number;
  readonly seconds: number;
  /** File for everything measured, or null. */
  readonly json: string | null;
};

/** Prints everything measured, with verdicts, and writes it to the file that the options name. */
export function publish(measured: Measured, options: PublishOptions, loadBefore: number): void {
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
    ...tables(measured),
    '### Budgets',
    verdictTable(verdicts),
  ];
  process.stdout.write(`${parts.join('\n\n')}\n`);
  if (options.json === null) return;
  const record = {
    machine,
    options: { ...options, loads: [...options.loads] },
    ...measured,
    loads: measured.loads.map(({ plan, series }) => ({ key: plan.key, load: plan.load, series })),
    verdicts,
  };
  writeFileSync(options.json, `${JSON.stringify(record, null, 2)}\n`);
}

function tables({ loads, firstBytes, zaps }: Measured): string[] {
  return [
    ...loads.flatMap(tableOf),
    ...(firstBytes === null
      ? []
      : ['### First byte of a cold stream, from the arrival of its first PAT and PMT', firstByteTable(firstBytes)]),
    ...(zaps === null
      ? []
      : [
          `### Zap on an open stream of ${zapRate} Mbit/s, from the request to the end of the first random-access picture`,
          zapTable(zaps),
        ]),
  ];
}

function tableOf({ plan: { load }, series }: LoadSeries): string[] {
  const measured = series.filter(({ runs }) => runs.length > 0);
  return [
    `### ${load.name}`,
    `${datagramRate(load).toFixed(0)} datagrams a second come in.`,
    ...(measured.length > 0 ? [loadTable(measured)] : []),
    ...failureList(series),
  ];
}
