import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../support/temp.js';

type Owner = { after(undo: () => void): void };

/** A configuration file with this text. */
export function fileWith(owner: Owner, yaml: string): string {
  const file = join(tempDir(owner), 'weir.yaml');
  writeFileSync(file, yaml);
  return file;
}
