import { Command } from 'commander';

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
  return command;
}
