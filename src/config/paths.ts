import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where Weir keeps its data unless told otherwise: `$XDG_STATE_HOME/weir` (XDG Base Directory Specification),
 * else /var/lib/weir for root and ~/.local/state/weir for anyone else.
 */
export function defaultDataDirectory(environment: Readonly<Record<string, string | undefined>>): string {
  const { XDG_STATE_HOME: state } = environment;
  if (state?.startsWith('/')) return join(state, 'weir');
  return process.getuid?.() === 0 ? '/var/lib/weir' : join(homedir(), '.local', 'state', 'weir');
}
