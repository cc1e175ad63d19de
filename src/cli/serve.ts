import { Command, Option } from 'commander';
import { logLevels } from '../lib/log.js';
import { addDataOptions, configOf, type DataFlags, repeated, repeatedListener } from './options.js';

type ServeFlags = DataFlags & {
  readonly listen?: readonly string[];
  readonly playlist?: readonly string[];
  readonly guide?: readonly string[];
  readonly interface?: string;
  readonly log?: string;
};

export function serveCommand(): Command {
  return addDataOptions(new Command('serve'))
    .description('serve the channels of the given lists until SIGTERM or SIGINT')
    .option('-l, --listen <[addr:]port>', 'where to listen; repeatable (default: 5140)', repeatedListener)
    .option('-p, --playlist <file|url>', 'M3U list with channels; repeatable', repeated)
    .option('-g, --guide <file|url>', 'XMLTV guide with programmes; repeatable', repeated)
    .option('-i, --interface <name>', 'network interface that multicast is received on')
    .addOption(new Option('--log <level>', 'how much is logged (default: "info")').choices(logLevels))
    .action(async ({ playlist, guide, ...flags }: ServeFlags) => {
      // The other commands need neither the API nor the addon.
      const { start } = await import('../main.js');
      await start(configOf({ ...flags, playlists: playlist, guides: guide }));
    });
}
