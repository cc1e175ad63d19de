import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Milliseconds of quiet after which a file that is being written counts as written. */
const quiet = 250;

/**
 * Calls back when a file was written, replaced or made. Its directory is watched, because editors replace files.
 * Returns what ends it. A directory that cannot be watched is reported and left.
 */
export function watchFile(path: string, changed: () => void, failed: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const name = basename(path);
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_event, file) => {
      if (file !== null && file !== name) return;
      clearTimeout(timer);
      timer = setTimeout(changed, quiet).unref();
    });
    watcher.on('error', failed);
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch (error) {
    failed(error);
    return () => clearTimeout(timer);
  }
}
