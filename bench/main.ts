import { Command, InvalidArgumentError } from 'commander';
import { benchRelay } from './relay.js';

const program = new Command('bench').description('Measures what Weir publishes figures about.');

program
  .command('relay')
  .description(
    'CPU, memory, delivery and first byte of Weir beside other relays, in network namespaces of its own (root)',
  )
  .option('--peers <directory>', 'where the programs rtp2httpd, msd_lite and udpxy are; those found are measured too')
  .option('--runs <count>', 'interleaved runs', whole, 5)
  .option('--seconds <count>', 'length of each measuring window', positive, 10)
  .option('--only <names>', 'measure none but these, by name, with commas between', (text: string) => text.split(','))
  .option('--json <file>', 'write everything measured there')
  .option('--quick', 'one short run: shows that the bench works, its figures mean little')
  .action(
    (options: { peers?: string; runs: number; seconds: number; only?: string[]; json?: string; quick?: boolean }) =>
      benchRelay({
        peers: options.peers ?? null,
        only: options.only ?? null,
        json: options.json ?? null,
        runs: options.quick === true ? 1 : options.runs,
        seconds: options.quick === true ? 1 : options.seconds,
        coldStarts: options.quick === true ? 1 : 3,
      }),
  );

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
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
