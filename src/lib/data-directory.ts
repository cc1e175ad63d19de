import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, WeirError } from './errors.js';

/** Longest path that a Unix socket can have: `sun_path` without its terminator (unix(7)). */
const longestSocketPath = 107;
const longestSocketName = 'pump-3.sock';

/**
 * Makes the data directory, for its owner alone, if it is missing.
 * @throws WeirError `invalid` when it cannot be written to or its path leaves no room for a Unix socket.
 */
export function prepareDataDirectory(directory: string): void {
  const length = Buffer.byteLength(join(directory, longestSocketName));
  if (length > longestSocketPath) {
    const limit = longestSocketPath - longestSocketName.length - 1;
    const problem = `The path of the data directory is too long: its Unix sockets would have ${length} bytes`;
    const fix = `Choose one of at most ${limit} bytes with --data`;
    throw new WeirError('invalid', `${problem}, ${longestSocketPath} are allowed. ${fix}: not ${directory}.`);
  }
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const hint = 'Make it writable for this user, or choose another with --data.';
    throw new WeirError('invalid', `The data directory ${directory} cannot be used (${messageOf(error)}). ${hint}`);
  }
}

/** The lock that says which weir uses a data directory; it holds that one's process id. */
export function lockPath(directory: string): string {
  return join(directory, 'weir.lock');
}
