import { bestPeer, complete, percent, type Series, type Verdict } from './budgets.js';
import { median, spread } from './statistics.js';

/** A Markdown table that reads well as plain text too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** One load: every relay's medians with their least and greatest values, and CPU against the best peer. */
export function loadTable(series: readonly Series[]): string {
  const best = bestPeer(series);
  const head = [
    'relay',
    'CPU %',
    'pump CPU %',
    '× best peer',
    'USS MB',
    'pump USS MB',
    'delivered',
    'errors',
    'first byte ms',
    'sender late ms',
  ];
  const rows = series.map(({ relay, runs }) => {
    const cpu = median(runs.map((run) => run.pumpCpu ?? run.cpu));
    const lossy = runs.filter((run) => !complete(run)).length;
    return [
      relay,
      spread(
        runs.map((run) => run.cpu),
        2,
      ),
      spread(
        runs.map((run) => run.pumpCpu),
        2,
      ),
      best === null ? '–' : (cpu / best.cpu).toFixed(2),
      spread(
        runs.map((run) => run.uss),
        2,
      ),
      spread(
        runs.map((run) => run.pumpUss),
        2,
      ),
      percent(median(runs.map((run) => run.delivered))) + (lossy > 0 ? ` (${lossy} of ${runs.length} not whole)` : ''),
      String(runs.reduce((sum, run) => sum + run.continuityErrors + run.syncErrors, 0)),
      spread(
        runs.map((run) => run.firstByte),
        1,
      ),
      Math.max(...runs.map((run) => run.senderLate)).toFixed(1),
    ];
  });
  return table(head, rows);
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

export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ what, measured, must, aim, result }) => [what, measured, must, aim, result]);
  return table(['budget', 'measured', 'must', 'aim', 'result'], rows);
}
