import { Command } from 'commander';
import { version } from '../lib/version.js';
import { checkCommand } from './check.js';
import { keyCommand } from './key.js';
import { restartCommand } from './restart.js';
import { serveCommand } from './serve.js';
import { tokenCommand } from './token.js';

/** The command line `weir`. It throws CommanderError for wrong usage, after one line on standard error. */
export function createProgram(): Command {
  const program = new Command('weir')
    .description('IPTV middleware: multicast in, one clean playlist and one HTTP URL per channel out')
    .version(version)
    .helpCommand(false);
  const commands = [serveCommand(), restartCommand(), keyCommand(), tokenCommand(), checkCommand()];
  for (const command of commands) program.addCommand(command);
  settle(program);
  return program;
}

/** Settings that commander does not pass on to commands made elsewhere. */
function settle(command: Command): void {
  command
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      outputError: (text, write) => write(`weir: ${text.replace(/^error: /, '').trim()}. See --help.\n`),
    });
  for (const child of command.commands) settle(child);
}
