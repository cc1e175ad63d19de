import { readdirSync, readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { WeirError } from '../lib/errors.js';

/** The steps of `weir.db`. */
const catalogue = new URL('../../../migrations/', import.meta.url);

type Step = { readonly version: number; readonly file: string };

/**
 * Brings the database to the newest version in a folder of steps, each step and its `PRAGMA user_version` in one transaction.
 * Several processes may do so at once.
 * @throws WeirError `conflict` when a newer Weir wrote the database.
 */
export function migrate(raw: Database.Database, folder = catalogue): void {
  const steps = listSteps(folder);
  const newest = steps.at(-1)?.version ?? 0;
  const version = () => Number(raw.pragma('user_version', { simple: true }));
  if (version() > newest) {
    const found = `The database ${raw.name} is of version ${version()}, this Weir knows ${newest} at most.`;
    throw new WeirError('conflict', `${found} Use the newer Weir that wrote it, or restore an older backup.`);
  }
  if (version() === newest) return;
  const run = raw.transaction(() => {
    const current = version();
    for (const step of steps.filter(({ version }) => version > current)) {
      raw.exec(readFileSync(new URL(step.file, folder), 'utf8'));
      raw.pragma(`user_version = ${step.version}`);
    }
    const broken = raw.pragma('foreign_key_check') as unknown[];
    if (broken.length > 0) {
      const rows = `${broken.length} rows refer to others that are not there`;
      throw new WeirError('unavailable', `The database ${raw.name} is damaged: ${rows}. Restore a backup.`);
    }
  });
  // Steps rebuild tables that others refer to: dropping the old one would delete what refers to it.
  raw.pragma('foreign_keys = OFF');
  try {
    run.immediate();
  } finally {
    raw.pragma('foreign_keys = ON');
  }
}

/** The files `NNNN-what.sql`, in order. */
function listSteps(folder: URL): Step[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-.+\.sql$/.test(file))
    .sort()
    .map((file) => ({ version: Number(file.slice(0, 4)), file }));
}
