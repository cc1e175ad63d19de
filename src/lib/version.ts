import { readFileSync } from 'node:fs';

/** Weir's own version, from package.json. */
export const version = readVersion();

function readVersion(): string {
  const manifest: { version?: unknown } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  return String(manifest.version);
}
