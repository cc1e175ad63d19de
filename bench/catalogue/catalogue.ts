import { writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { UndoStack } from '../../src/lib/undo.js';
import { spread } from '../statistics.js';
import { judge, reportOf } from './report.js';
import { type RunOptions, type RunResult, run } from './run.js';

export type CatalogueOptions = RunOptions & {
  readonly runs: number;
  /** File for everything measured, or null. */
  readonly json: string | null;
};

/** Measures lists in, lists out and the API meanwhile, each run with a weir of its own, and prints it with verdicts. */
export async function benchCatalogue({ runs: count, json, ...options }: CatalogueOptions): Promise<void> {
  const machine = {
    kernel: release(),
    cpus: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    loadBefore: loadavg()[0] ?? 0,
  };
  const runs: RunResult[] = [];
  for (let index = 0; index < count; index += 1) {
    runs.push(await runOnce(options));
    process.stderr.write(`run ${index + 1} of ${count}\n`);
  }
  const megabytes = (bytes: (run: RunResult) => number) =>
    spread(
      runs.map((one) => bytes(one) / 1e6),
      1,
    );
  const parts = [
    `${count} runs, ${options.entries} entries, ${options.rate} requests/s · ${machine.cpus} × ${machine.model} · Linux ${machine.kernel}`,
    `Load average before: ${machine.loadBefore.toFixed(2)}. Anything above 0.3 or so means that something else ran too.`,
    `List in ${megabytes(({ bytes }) => bytes.in)} MB, out ${megabytes(({ bytes }) => bytes.out)} MB; RSS of the import alone ${megabytes(({ rssAlone }) => rssAlone.before)} MB before, ${megabytes(({ rssAlone }) => rssAlone.after)} MB after; of the others, with requests and lists out, ${megabytes(({ rss }) => rss.before)} and ${megabytes(({ rss }) => rss.after)} MB.`,
    ...reportOf(runs),
  ];
  process.stdout.write(`${parts.join('\n\n')}\n`);
  if (runs.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
  if (json === null) return;
  writeFileSync(
    json,
    `${JSON.stringify({ machine, options: { ...options, runs: count }, runs, verdicts: judge(runs) }, null, 1)}\n`,
  );
}

/** What was started ends with it, after Ctrl-C too. */
async function runOnce(options: RunOptions): Promise<RunResult> {
  const undo = new UndoStack();
  const stop = () => void undo.run().finally(() => process.exit(1));
  process.once('SIGINT', stop);
  try {
    return await run({ after: (step) => undo.push(step) }, options);
  } finally {
    process.off('SIGINT', stop);
    await undo.run();
  }
}
