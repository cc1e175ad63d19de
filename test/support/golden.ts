import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

const fixtures = new URL('../../../test/fixtures/', import.meta.url);

/** Compares with a file below test/fixtures byte by byte; with GOLDEN=write in the environment the file is written instead. */
export function assertGolden(name: string, actual: Buffer): void {
  const file = new URL(name, fixtures);
  const { GOLDEN } = process.env;
  if (GOLDEN === 'write') writeFileSync(file, actual);
  const wanted = readFileSync(file);
  assert.equal(actual.toString(), wanted.toString());
  assert.ok(actual.equals(wanted), `${name} differs in bytes that are no text`);
}
