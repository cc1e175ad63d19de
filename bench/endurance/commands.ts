import { type Command, InvalidArgumentError } from 'commander';
import { crowd } from './crowd.js';
import { guideKills } from './guide-kills.js';
import { kills } from './kills.js';
import { refresh } from './refresh.js';
import { soak } from './soak.js';
import { zaps } from './zaps.js';

type Length = { readonly seconds?: number; readonly minutes: number };

/** The commands that take long; see README.md, "Endurance". */
export function addEnduranceCommands(program: Command): void {
  addSoak(program);
  program
    .command('zaps')
    .description('random zaps among eight channels, the first picture of each decoded and compared (ffmpeg)')
    .option('--count <zaps>', 'how many', above0, 1000)
    .option('--seed <number>', 'another order of channels', above0, 1)
    .action((options: { count: number; seed: number }) => zaps(options));
  program
    .command('crowd')
    .description('connections that say nothing, that send a byte a second, and that ask and never read')
    .option('--each <count>', 'connections of each kind', above0, 1000)
    .option('--unsent-kb <count>', 'with viewer_tcp.unsent_kb set to this', above0)
    .action(({ each, unsentKb }: { each: number; unsentKb?: number }) => crowd({ each, unsentKb: unsentKb ?? null }));
  program
    .command('refresh')
    .description('membership reported unasked while streams run, seen on the wire (tcpdump)')
    .option('--minutes <count>', 'how long', above0, 10)
    .option('--seconds <count>', 'the same in seconds', above0)
    .option('--every <seconds>', 'seconds between two reports', above0, 10)
    .action((options: Length & { every: number }) => refresh({ seconds: secondsOf(options), every: options.every }));
  program
    .command('kills')
    .description('kill -9 at random moments of refreshes and edits: nothing is half done, what was answered is kept')
    .option('--count <kills>', 'how many; a fifth as many more while it starts', above0, 200)
    .option('--seed <number>', 'other moments', above0, 1)
    .action((options: { count: number; seed: number }) => kills(options));
  program
    .command('guide-kills')
    .description('kill -9 at random moments of the import of a guide: the old or the new one is there, whole (xmllint)')
    .option('--count <kills>', 'how many', above0, 200)
    .option('--seed <number>', 'other moments', above0, 1)
    .action((options: { count: number; seed: number }) => guideKills(options));
}

function addSoak(program: Command): void {
  type Options = Length & { restartEvery: number; groups: number; mbps: number; guests: number; seed: number };
  program
    .command('soak')
    .description('viewers that stay, come and go while Node is restarted: nothing missed, nothing grows')
    .option('--minutes <count>', 'how long', above0, 60)
    .option('--seconds <count>', 'the same in seconds', above0)
    .option('--restart-every <seconds>', 'seconds between two restarts of Node', above0, 300)
    .option('--groups <count>', 'channels, each with a viewer that stays', above0, 8)
    .option('--mbps <rate>', 'Mbit/s of each', above0, 40)
    .option('--guests <count>', 'viewers that come and go', above0, 8)
    .option('--seed <number>', 'another order of comings and goings', above0, 1)
    .action((options: Options) => soak({ ...options, seconds: secondsOf(options) }));
}

function secondsOf({ seconds, minutes }: Length): number {
  return seconds ?? minutes * 60;
}

function above0(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}
