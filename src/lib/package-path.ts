import { fileURLToPath } from 'node:url';

/** The path of a file that belongs to the package, given from the package's root. */
export function packagePath(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}
