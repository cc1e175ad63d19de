import { judgeCeiling, type Verdict } from '../budgets.js';
import type { Sample } from '../catalogue/load-process.js';
import { table, verdictTable } from '../report.js';
import { percentile, spread } from '../statistics.js';
import type { RunResult, StepName } from './run.js';

/** What each step is, in the order of the table. */
const titles: Readonly<Record<StepName, string>> = {
  first: 'the first time, nobody asks',
  again: 'the same bytes again, no ETag',
  later: 'one day on',
  links: '50 channels more, no download',
  busy: 'the first time, while requests are answered',
  whole: 'all channels wanted',
};

/** Everything measured, as tables and verdicts. */
export function reportOf(runs: readonly RunResult[]): string[] {
  return [
    '### The guide in',
    stepTable(runs),
    '### Beside it',
    besideTable(runs),
    '### Requests, from when they were due',
    requestTable(runs),
    '### Budgets',
    verdictTable(judge(runs)),
    streamLine(runs),
    ...faultsOf(runs),
  ];
}

/** What was wrong in each run: figures of what does not work say nothing. */
function faultsOf(runs: readonly RunResult[]): string[] {
  const lines = runs.flatMap(({ faults }, index) => faults.slice(0, 20).map((fault) => `- run ${index + 1}: ${fault}`));
  return lines.length === 0 ? [] : ['### Faults', lines.join('\n')];
}

export function judge(runs: readonly RunResult[]): Verdict[] {
  const ceiling = (what: string, unit: string, limits: Limits, value: (run: RunResult) => number | null) =>
    judgeCeiling(what, runs.map(value), { unit, ...limits });
  return [
    ceiling(
      'the first time, against gunzip',
      '×',
      { must: 1.5, aim: 1 },
      ({ steps, gunzip }) => steps.first.wall / gunzip.first,
    ),
    ceiling(
      'the same bytes again, against gunzip',
      '×',
      { must: 0.6, aim: null },
      ({ steps, gunzip }) => steps.again.wall / gunzip.again,
    ),
    ceiling('not changed (304)', 'ms', { must: 50, aim: null }, ({ known }) => known),
    ceiling('RSS of the job, the first time', 'MB', { must: 200, aim: null }, ({ steps }) =>
      megabytes(steps.first.peak - steps.first.rss),
    ),
    ceiling('API p99 meanwhile', 'ms', { must: 50, aim: 20 }, ({ during }) => p(during, 0.99)),
    ceiling(
      'all channels wanted, against fast-xml-parser alone',
      '×',
      { must: 1.3, aim: null },
      ({ steps, fxp }) => steps.whole.wall / fxp,
    ),
    ceiling('/epg.xml.gz of 7 days, first byte', 'ms', { must: 5, aim: null }, ({ out }) => out.firstByte),
    ceiling('/epg.xml.gz of 7 days, made again', 's', { must: 3, aim: null }, ({ out }) => out.again / 1000),
  ];
}

type Limits = { readonly must: number; readonly aim: number | null };

function stepTable(runs: readonly RunResult[]): string {
  const rows = Object.entries(titles).map(([name, title]) => {
    const own = runs.map(({ steps }) => steps[name as StepName]);
    const cell = (digits: number, value: (step: (typeof own)[number]) => number) => spread(own.map(value), digits);
    return [
      title,
      cell(2, ({ wall }) => wall / 1000),
      cell(2, ({ cpu }) => cpu / 1000),
      cell(0, ({ rss }) => megabytes(rss)),
      cell(0, ({ peak }) => megabytes(peak)),
    ];
  });
  return table(['step', 's', 'CPU s', 'RSS before MB', 'at most MB'], rows);
}

function besideTable(runs: readonly RunResult[]): string {
  const cell = (digits: number, value: (run: RunResult) => number) => spread(runs.map(value), digits);
  return table(
    ['what', 's'],
    [
      ['gunzip -c, before the first time', cell(2, ({ gunzip }) => gunzip.first / 1000)],
      ['gunzip -c, before the same again', cell(2, ({ gunzip }) => gunzip.again / 1000)],
      ['fast-xml-parser alone, 2 threads', cell(2, ({ fxp }) => fxp / 1000)],
    ],
  );
}

function requestTable(runs: readonly RunResult[]): string {
  const rows = (['during', 'beside'] as const).map((when) => {
    const own = runs.map((run) => run[when]);
    const at = (share: number) =>
      spread(
        own.map((samples) => p(samples, share)),
        1,
      );
    const count = own.reduce((sum, samples) => sum + samples.length, 0);
    return [when === 'during' ? 'meanwhile' : 'else', String(count), at(0.5), at(0.9), at(0.99), at(1)];
  });
  return table(['when', 'count', 'median ms', 'p90 ms', 'p99 ms', 'most ms'], rows);
}

function streamLine(runs: readonly RunResult[]): string {
  const streams = runs.flatMap(({ stream }) => stream ?? []);
  if (streams.length === 0) return 'No stream was watched meanwhile: that needs network namespaces.';
  const sum = (value: (stream: (typeof streams)[number]) => number) =>
    streams.reduce((total, stream) => total + value(stream), 0);
  return `A multicast stream of 8 Mbit/s that was watched meanwhile: ${sum(({ packets }) => packets)} TS packets came, ${sum(({ missing }) => missing)} were missed.`;
}

function p(samples: readonly Sample[], share: number): number | null {
  return samples.length === 0
    ? null
    : percentile(
        samples.map(({ took }) => took),
        share,
      );
}

function megabytes(bytes: number): number {
  return bytes / 1e6;
}
