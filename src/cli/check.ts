import { Command } from 'commander';
import { checkPlaylistCommand } from './check-playlist.js';

/** Shows what Weir makes of its inputs. It needs no data directory, and nothing is kept. */
export function checkCommand(): Command {
  return new Command('check')
    .description('show how Weir reads something')
    .helpCommand(false)
    .addCommand(checkPlaylistCommand());
}
