import { writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { join } from 'node:path';
import { UndoStack } from '../../src/lib/undo.js';
import { privateNetwork } from '../../test/support/private-network.js';
import { tempDir } from '../../test/support/temp.js';
import type { Owner } from '../endurance/ground.js';
import { spread } from '../statistics.js';
import { channelsPerMegabyte, type GuideOptions as GeneratorOptions, type Written, writeGuide } from './generate.js';
import { judge, reportOf } from './report.js';
import { moreLinks, type RunOptions, type RunResult, run } from './run.js';

export type GuideOptions = Pick<RunOptions, 'wanted' | 'entries' | 'rate' | 'warmUp' | 'rest'> & {
  readonly runs: number;
  /** Megabytes of the big guide, and of the one that is wanted whole; unpacked. */
  readonly mb: number;
  readonly wholeMb: number;
  /** File for everything measured, or null. */
  readonly json: string | null;
};

const days = 14;
const day = 86_400;
/** Share of programmes of the big guide that were shown before. */
const reruns = 0.2;

/** Measures guides in and out, the API and a stream meanwhile, and prints it with verdicts. */
export async function benchGuide({ runs: count, mb, wholeMb, json, ...options }: GuideOptions): Promise<void> {
  if (mb * channelsPerMegabyte < options.wanted + moreLinks)
    throw new Error(
      `A guide of ${mb} MB has too few channels for ${options.wanted} that are wanted and ${moreLinks} later on.`,
    );
  const streams = privateNetwork() === false;
  const loadBefore = loadavg()[0] ?? 0;
  const channels = { big: mb * channelsPerMegabyte, whole: wholeMb * channelsPerMegabyte };
  const runs: RunResult[] = [];
  const sizes = await withUndo(async (owner) => {
    const { files, written } = await writeGuides(tempDir(owner), channels);
    for (let index = 0; index < count; index += 1) {
      runs.push(await withUndo((own) => run(own, { ...options, files, channels, streams })));
      process.stderr.write(`run ${index + 1} of ${count}\n`);
    }
    return written;
  });
  const machine = { kernel: release(), cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown', loadBefore };
  const size = (one: Written) => `${(one.bytes / 1e6).toFixed(0)} MB and ${one.programmes} programmes`;
  const parts = [
    `${count} runs, ${machine.cpus} × ${machine.model} · Linux ${machine.kernel} · Node ${process.version}`,
    `Load average before: ${loadBefore.toFixed(2)}. Anything above 0.3 or so means that something else ran too.`,
    `The big guide: ${size(sizes.big)} of ${channels.big} channels, ${options.wanted} of them wanted, ${reruns * 100} % reruns. The one that is wanted whole: ${size(sizes.whole)} of ${channels.whole} channels, no reruns.`,
    `/epg.xml of 7 days: ${spread(
      runs.map(({ out }) => out.bytes / 1e6),
      1,
    )} MB.`,
    ...reportOf(runs),
  ];
  process.stdout.write(`${parts.join('\n\n')}\n`);
  if (runs.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
  if (json === null) return;
  const record = { machine, options: { ...options, runs: count, mb, wholeMb }, sizes, runs, verdicts: judge(runs) };
  writeFileSync(json, `${JSON.stringify(record, null, 1)}\n`);
}

/** Around today, for guides of other years are not taken over. */
async function writeGuides(folder: string, channels: RunOptions['channels']) {
  const today = Math.floor(Date.now() / 1000 / day) * day;
  const write = async (name: string, options: Pick<GeneratorOptions, 'channels' | 'firstDay' | 'reruns'>) => {
    const path = join(folder, `${name}.xml.gz`);
    return { path, written: await writeGuide(path, { days, ...options }) };
  };
  const big = await write('big', { channels: channels.big, firstDay: today - day, reruns });
  const later = await write('later', { channels: channels.big, firstDay: today, reruns });
  const whole = await write('whole', { channels: channels.whole, firstDay: today - day, reruns: 0 });
  return {
    files: { big: big.path, later: later.path, whole: whole.path },
    written: { big: big.written, whole: whole.written },
  };
}

/** What was started ends with it, after Ctrl-C too. */
async function withUndo<T>(work: (owner: Owner) => Promise<T>): Promise<T> {
  const undo = new UndoStack();
  const stop = () => void undo.run().finally(() => process.exit(1));
  process.once('SIGINT', stop);
  try {
    return await work({ after: (step) => undo.push(step) });
  } finally {
    process.off('SIGINT', stop);
    await undo.run();
  }
}
