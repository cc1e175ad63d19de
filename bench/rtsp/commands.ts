import { type Command, InvalidArgumentError } from 'commander';
import { benchRtsp } from './run.js';

type Options = {
  readonly peers?: string;
  readonly runs: number;
  readonly seconds: number;
  readonly loads?: string;
  readonly json?: string;
  readonly quick?: true;
};

/** Adds `rtsp` to the bench's commands. */
export function addRtspCommand(program: Command): void {
  program
    .command('rtsp')
    .description('CPU and delivery of Weir and rtp2httpd as relays of RTSP, in network namespaces of its own (root)')
    .option('--peers <directory>', 'where the program rtp2httpd is')
    .option('--runs <count>', 'interleaved runs', whole, 5)
    .option('--seconds <count>', 'length of each measuring window', whole, 10)
    .option(
      '--loads <names>',
      'measure under none but these loads, by short name (bench/README.md), with commas between',
    )
    .option('--json <file>', 'write everything measured there')
    .option('--quick', 'one short run: shows that the bench works, its figures mean little')
    .action(async (options: Options) => {
      await benchRtsp({
        peers: options.peers ?? null,
        loads: options.loads?.split(',') ?? null,
        json: options.json ?? null,
        ...(options.quick === true ? { runs: 1, seconds: 1 } : { runs: options.runs, seconds: options.seconds }),
      });
    });
}

function whole(text: string): number {
  const value = Number(text);
  if (!(Number.isInteger(value) && value > 0)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}
