import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { WeirError } from '../lib/errors.js';
import { InvalidRequest } from './invalid-request.js';

/**
 * The real path of a file in the folder that is configured for lists, links followed. A relative path begins there.
 * @throws WeirError `forbidden` when no folder is configured; `invalid` when the file is not in it, or no file.
 */
export async function fileInFolder(location: string, folder: string | null): Promise<string> {
  if (folder === null) {
    const fix = 'Set "list_folder" in the configuration to the folder that they are in, or send the list as text.';
    throw new WeirError('forbidden', `Lists may not be read from files through the API. ${fix}`);
  }
  const root = await realpath(folder).catch(() => {
    throw new WeirError('unavailable', 'The folder that is configured for lists is not there.');
  });
  const path = await realpath(resolve(root, location)).catch(() => null);
  // Whether a file outside is there is nobody's business: the answer is the same.
  const inside = path?.startsWith(root.endsWith(sep) ? root : `${root}${sep}`) ?? false;
  if (path === null || !inside || !(await stat(path)).isFile()) {
    throw new InvalidRequest([{ path: 'location', message: 'There is no such file in the folder for lists.' }]);
  }
  return path;
}
