import { Command } from 'commander';
import {
  type CatchupAsked,
  modeNames,
  parseFormatted,
  parseMode,
  parseNumber,
  parseSeconds,
  parseZone,
} from './catchup-options.js';

/** Shows what Weir makes of its inputs. It needs no data directory, and nothing is kept. */
export function checkCommand(): Command {
  const command = new Command('check').description('show how Weir reads something').helpCommand(false);
  command
    .command('playlist')
    .description('read a list of channels and show what is in it; exit 1 when that is nothing')
    .argument('<file|url>', 'M3U or TXT, also packed with gzip, xz or zip')
    .option('--json', 'print all of it as one JSON document')
    .action(async (location: string, { json = false }: { readonly json?: boolean }) => {
      // The other commands need neither the reader nor what downloads.
      const { checkPlaylist } = await import('./check-playlist.js');
      await checkPlaylist(location, json);
    });
  command
    .command('guide')
    .description('read a guide and show what is in it; exit 1 when that is nothing')
    .argument('<file|url>', 'XMLTV, also packed with gzip, xz or zip')
    .option('--json', 'print all of it as one JSON document')
    .option('--programmes <id>', 'print the programmes of this channel instead, cleaned as players get them')
    .action(async (location: string, asked: { readonly json?: boolean; readonly programmes?: string }) => {
      const { checkGuide } = await import('./check-guide.js');
      await checkGuide(location, { json: asked.json ?? false, programmes: asked.programmes ?? null });
    });
  addCatchup(command);
  return command;
}

function addCatchup(command: Command): void {
  command
    .command('catchup')
    .description('fill a template of an archive and show the address that would be asked; exit 1 when there is none')
    .option('--template <text>', 'as catchup-source has it; some modes need none')
    .requiredOption('--start <seconds>', 'since 1970', parseSeconds)
    .option('--end <seconds>', 'since 1970; left out it is open', parseSeconds)
    .option('--now <seconds>', 'since 1970; left out it is now', parseSeconds)
    .option('--zone <zone>', "the provider's, as Europe/Vienna or UTC+8", parseZone, 'UTC')
    .option('--mode <mode>', `${modeNames.join(', ')}`, parseMode)
    .option('--url <address>', 'of the live channel')
    .option('--correction <hours>', 'taken from start and end', parseNumber, 0)
    .option('--formatted <utc|zone>', 'what {utc:FORMAT} is written in', parseFormatted, 'utc')
    .option('--near-live <seconds>', 'what begins no longer ago goes by Range', parseSeconds, 0)
    .option('--json', 'print all of it as one JSON document')
    .action(async (asked: CatchupAsked) => {
      const { checkCatchup } = await import('./check-catchup.js');
      checkCatchup(asked);
    });
}
