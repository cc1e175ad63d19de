import { Command, InvalidArgumentError } from 'commander';
import { addCatalogueCommand } from './catalogue/commands.js';
import { addEnduranceCommands } from './endurance/commands.js';
import { addGuideCommand } from './guide/commands.js';
import { chosenLoads } from './plans.js';
import { benchRelay } from './relay.js';
import { addRtspCommand } from './rtsp/commands.js';

const program = new Command('bench').description('Measures what Weir publishes figures about.');

program
  .command('relay')
  .description(
    'CPU, memory, delivery and first byte of Weir beside other relays, in network namespaces of its own (root)',
  )
  .option('--peers <directory>', 'where the programs rtp2httpd, msd_lite and udpxy are; those found are measured too')
  .option('--runs <count>', 'interleaved runs', whole, 5)
  .option('--seconds <count>', 'length of each measuring window', positive, 10)
  .option('--only <relays>', 'measure none but these, by name, with commas between', names)
  .option(
    '--loads <names>',
    'measure under none but these loads, by short name (bench/README.md), with commas between',
    names,
  )
  .option('--all', 'measure under the loads without a budget too')
  .option('--json <file>', 'write everything measured there')
  .option('--quick', 'one short run: shows that the bench works, its figures mean little')
  .action((options: Options) =>
    benchRelay({
      peers: options.peers ?? null,
      only: options.only ?? null,
      loads: chosenLoads(options.loads ?? null, options.all === true),
      json: options.json ?? null,
      ...(options.quick === true
        ? { runs: 1, seconds: 1, coldStarts: 1, zaps: 2 }
        : { runs: options.runs, seconds: options.seconds, coldStarts: 3, zaps: 10 }),
    }),
  );

type Options = {
  readonly peers?: string;
  readonly runs: number;
  readonly seconds: number;
  readonly only?: string[];
  readonly loads?: string[];
  readonly all?: true;
  readonly json?: string;
  readonly quick?: true;
};

addCatalogueCommand(program);
addEnduranceCommands(program);
addGuideCommand(program);
addRtspCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function names(text: string): string[] {
  return text.split(',');
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function whole(text: string): number {
  const value = positive(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}
