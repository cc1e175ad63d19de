import { judgeCeiling, type Verdict } from '../budgets.js';
import { table } from '../report.js';
import { percentile, spread } from '../statistics.js';
import type { LoadKind, Sample } from './load-process.js';
import { type RunResult, steps } from './run.js';

/** Everything measured, as tables and verdicts. */
export function reportOf(runs: readonly RunResult[]): string[] {
  return [
    '### Imports: the first while nobody asks, the others while requests are answered',
    stepTable(runs),
    '### Requests, from when they were due',
    requestTable(runs),
    '### Budgets',
    table(
      ['budget', 'measured', 'must', 'aim', 'result'],
      judge(runs).map(({ what, measured, must, aim, result }) => [what, measured, must, aim, result]),
    ),
    ...faultsOf(runs),
  ];
}

/** What was wrong in each run: figures of what does not work say nothing. */
export function faultsOf(runs: readonly RunResult[]): string[] {
  const lines = runs.flatMap(({ faults }, index) => faults.slice(0, 20).map((fault) => `- run ${index + 1}: ${fault}`));
  return lines.length === 0 ? [] : ['### Faults', lines.join('\n')];
}

export function judge(runs: readonly RunResult[]): Verdict[] {
  const all = (value: (run: RunResult) => number | null) => runs.map(value);
  const share = (times: (run: RunResult) => readonly number[]) => runs.map((run) => percentile(times(run), 0.5));
  return [
    judgeCeiling(
      'import alone, until it is published',
      all(({ steps: { 'import alone': one } }) => seconds(one.published)),
      limit('s', 3, 1.5),
    ),
    judgeCeiling(
      'unchanged re-import',
      all(({ steps: { unchanged } }) => seconds(unchanged.settled)),
      limit('s', 0.5, 0.2),
    ),
    judgeCeiling(
      'API p99 while lists are imported',
      all(({ during }) => p(during, 0.99)),
      limit('ms', 50, 20),
    ),
    judgeCeiling(
      'list out after a change',
      share(({ lists }) => lists.first),
      limit('ms', 300, null),
    ),
    judgeCeiling(
      'list out again',
      share(({ lists }) => lists.again),
      limit('ms', 300, null),
    ),
    judgeCeiling(
      'list not changed (304)',
      share(({ lists }) => lists.known),
      limit('ms', 5, null),
    ),
    judgeCeiling(
      'RSS after the import alone, over RSS before',
      all(({ rssAlone }) => megabytes(rssAlone.after - rssAlone.before)),
      limit('MB', 20, null),
    ),
  ];
}

function limit(unit: string, must: number, aim: number | null) {
  return { unit, must, aim };
}

function stepTable(runs: readonly RunResult[]): string {
  const rows = steps.map((name) => {
    const own = runs.map((run) => run.steps[name]);
    return [
      name,
      spread(
        own.map(({ published }) => seconds(published)),
        2,
      ),
      spread(
        own.map(({ settled }) => seconds(settled)),
        2,
      ),
      spread(
        own.map(({ cpu }) => seconds(cpu)),
        2,
      ),
    ];
  });
  return table(['step', 'published s', 'settled s', 'CPU s'], rows);
}

function requestTable(runs: readonly RunResult[]): string {
  const kinds: readonly (LoadKind | 'all')[] = ['page', 'group', 'search', 'channel', 'edit', 'all'];
  const of = (samples: readonly Sample[], kind: LoadKind | 'all') =>
    samples.filter((one) => kind === 'all' || one.kind === kind);
  const rows = kinds.flatMap((kind) =>
    (['during', 'beside'] as const).map((when) => {
      const own = runs.map((run) => of(run[when], kind));
      const at = (share: number) =>
        spread(
          own.map((samples) => p(samples, share)),
          1,
        );
      const count = own.reduce((sum, samples) => sum + samples.length, 0);
      return [kind, when === 'during' ? 'while importing' : 'else', String(count), at(0.5), at(0.9), at(0.99), at(1)];
    }),
  );
  return table(['request', 'when', 'count', 'median ms', 'p90 ms', 'p99 ms', 'most ms'], rows);
}

function p(samples: readonly Sample[], share: number): number | null {
  return samples.length === 0
    ? null
    : percentile(
        samples.map(({ took }) => took),
        share,
      );
}

function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : milliseconds / 1000;
}

function megabytes(bytes: number): number {
  return bytes / 1e6;
}
