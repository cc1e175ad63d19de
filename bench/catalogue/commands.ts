import { type Command, InvalidArgumentError } from 'commander';
import { benchCatalogue } from './catalogue.js';

type Options = {
  readonly runs: number;
  readonly entries: number;
  readonly rate: number;
  readonly json?: string;
  readonly quick?: true;
};

export function addCatalogueCommand(program: Command): void {
  program
    .command('catalogue')
    .description('a list of 100,000 entries in and out, and the API meanwhile')
    .option('--runs <count>', 'how often, each time from nothing', whole, 5)
    .option('--entries <count>', 'how many the list has', whole, 100_000)
    .option('--rate <count>', 'requests a second', whole, 100)
    .option('--json <file>', 'write everything measured there')
    .option('--quick', 'one short run: shows that the bench works, its figures mean little')
    .action(({ runs, entries, rate, json, quick }: Options) => {
      const common = { entries, rate, json: json ?? null };
      return benchCatalogue(
        quick === true
          ? { ...common, runs: 1, warmUp: 1, rest: 0.1, fetches: 1 }
          : { ...common, runs, warmUp: 5, rest: 60, fetches: 5 },
      );
    });
}

function whole(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isInteger(value)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}
