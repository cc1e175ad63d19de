import { type Command, InvalidArgumentError } from 'commander';
import { benchGuide } from './guide.js';

type Options = {
  readonly runs: number;
  readonly mb: number;
  readonly wholeMb: number;
  readonly wanted: number;
  readonly entries: number;
  readonly rate: number;
  readonly json?: string;
  readonly quick?: true;
};

export function addGuideCommand(program: Command): void {
  program
    .command('guide')
    .description('a guide of 1 GB in, beside gunzip and fast-xml-parser alone, and out')
    .option('--runs <count>', 'how often, each time from nothing', whole, 5)
    .option('--mb <count>', 'megabytes of the guide, unpacked; it has ten channels a megabyte', whole, 1000)
    .option('--whole-mb <count>', 'megabytes of the guide of which all channels are wanted', whole, 200)
    .option('--wanted <count>', 'channels of the first that are wanted', whole, 300)
    .option('--entries <count>', 'how many a list has that is asked for meanwhile', whole, 20_000)
    .option('--rate <count>', 'requests a second', whole, 100)
    .option('--json <file>', 'write everything measured there')
    .option('--quick', 'one short run of small guides: shows that the bench works, its figures mean little')
    .action(({ json, quick, ...options }: Options) => {
      const common = { ...options, json: json ?? null };
      const small = { runs: 1, mb: 20, wholeMb: 5, wanted: 20, entries: 500, rate: 50, warmUp: 1, rest: 4 };
      return benchGuide(quick === true ? { ...common, ...small } : { ...common, warmUp: 5, rest: 45 });
    });
}

function whole(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isInteger(value)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}
