import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Owner = { after(undo: () => void): void };

/** A directory of its own for a test, removed when the test ends. Short, because it holds Unix sockets. */
export function tempDir(owner: Owner): string {
  const path = mkdtempSync(join(tmpdir(), 'weir-'));
  owner.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
