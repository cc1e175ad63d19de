import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Owner = { after(undo: () => void): void };

/** A directory of its own, short because it may hold Unix sockets, and what removes it. */
export function makeTempDir(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'weir-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The same, removed when its owner ends. */
export function tempDir(owner: Owner): string {
  const { path, remove } = makeTempDir();
  owner.after(remove);
  return path;
}
