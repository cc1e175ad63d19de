import { readFileSync } from 'node:fs';
import { packagePath } from './package-path.js';

/** Weir's own version, from package.json. */
export const version = readVersion();

function readVersion(): string {
  const manifest: { version?: unknown } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'));
  return String(manifest.version);
}
