import { bestPeer, complete, percent, type Series, type Verdict } from './budgets.js';
import type { LoadResult } from './measure.js';
import { median, percentile, spread } from './statistics.js';

/** A Markdown table that reads well as plain text too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}

type Column = { readonly title: string; cell(series: Series): string };

/** One load: every relay's medians with their least and greatest values, and CPU against the best peer. */
export function loadTable(series: readonly Series[]): string {
  const stalls = series.some(({ runs }) => runs.some(({ stalled }) => stalled !== null));
  const columns: Column[] = [
    { title: 'relay', cell: ({ relay }) => relay },
    figure('CPU %', 2, (run) => run.cpu),
    figure('pump CPU %', 2, (run) => run.pumpCpu),
    againstBest(bestPeer(series)),
    figure('wake-ups /s', 0, (run) => run.wakeUps),
    figure('pump wake-ups /s', 0, (run) => run.pumpWakeUps),
    figure('USS MB', 2, (run) => run.uss),
    figure('pump USS MB', 2, (run) => run.pumpUss),
    { title: 'delivered', cell: delivered },
    { title: 'errors', cell: ({ runs }) => String(sum(runs.map((run) => run.continuityErrors + run.syncErrors))) },
    ...(stalls ? [{ title: 'stalled viewer', cell: stalledViewer }] : []),
    figure('delay ms', 1, (run) => run.delay),
    figure('at worst ms', 0, (run) => run.delayMost),
    figure('first byte ms', 1, (run) => run.firstByte),
    figure('viewers CPU %', 0, (run) => run.viewersCpu),
    { title: 'sender late ms', cell: ({ runs }) => Math.max(...runs.map((run) => run.senderLate)).toFixed(1) },
  ];
  return table(
    columns.map(({ title }) => title),
    series.map((one) => columns.map(({ cell }) => cell(one))),
  );
}

function figure(title: string, digits: number, value: (run: LoadResult) => number | null): Column {
  return { title, cell: ({ runs }) => spread(runs.map(value), digits) };
}

function againstBest(best: { cpu: number } | null): Column {
  const ratio = ({ runs }: Series, cpu: number) => median(runs.map((run) => run.pumpCpu ?? run.cpu)) / cpu;
  return { title: '× best peer', cell: (series) => (best === null ? '–' : ratio(series, best.cpu).toFixed(2)) };
}

function delivered({ runs }: Series): string {
  const lossy = runs.filter((run) => !complete(run)).length;
  const refused = Math.max(...runs.map((run) => run.refused));
  return [
    percent(median(runs.map((run) => run.delivered))),
    ...(lossy > 0 ? [`(${lossy} of ${runs.length} not whole)`] : []),
    ...(refused > 0 ? [`(up to ${refused} viewers without an answer)`] : []),
  ].join(' ');
}

function stalledViewer({ runs }: Series): string {
  const stalled = runs.map((run) => run.stalled).filter((one) => one !== null);
  if (stalled.length === 0) return '–';
  return `${percent(median(stalled.map((one) => one.delivered)))}, ${sum(stalled.map((one) => one.errors))} errors`;
}

/** Why relays have no figures, or not of all runs: one line each, or nothing. */
export function failureList(series: readonly Series[]): string[] {
  const lines = series.flatMap(({ relay, failures }) => [...new Set(failures)].map((why) => `${relay}: ${why}`));
  return lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join('\n')];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export type FirstByteSeries = {
  readonly relay: string;
  readonly mbps: number;
  readonly values: readonly (number | null)[];
};

export function firstByteTable(series: readonly FirstByteSeries[]): string {
  const rates = [...new Set(series.map(({ mbps }) => mbps))];
  const relays = [...new Set(series.map(({ relay }) => relay))];
  const cell = (relay: string, rate: number) => {
    const values = series.find((one) => one.relay === relay && one.mbps === rate)?.values ?? [];
    const missing = values.filter((value) => value === null).length;
    return spread(values, 1) + (missing > 0 ? `, ${missing} of ${values.length} never` : '');
  };
  return table(
    ['relay', ...rates.map((rate) => `${rate} Mbit/s, ms`)],
    relays.map((relay) => [relay, ...rates.map((rate) => cell(relay, rate))]),
  );
}

export type ZapSeries = { readonly relay: string; readonly values: readonly (number | null)[] };

export function zapTable(series: readonly ZapSeries[]): string {
  const rows = series.map(({ relay, values }) => {
    const known = values.filter((value) => value !== null);
    const text = (value: number) => (known.length === 0 ? '–' : value.toFixed(1));
    return [
      relay,
      String(values.length),
      ...[0, 0.5, 0.95, 1].map((share) => text(percentile(known, share))),
      String(values.length - known.length),
    ];
  });
  return table(['relay', 'zaps', 'least ms', 'median ms', 'p95 ms', 'most ms', 'never'], rows);
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ what, measured, must, aim, result }) => [what, measured, must, aim, result]);
  return table(['budget', 'measured', 'must', 'aim', 'result'], rows);
}
