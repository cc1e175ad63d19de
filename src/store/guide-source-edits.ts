import { resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { WeirError } from '../lib/errors.js';
import type { By } from '../model/edit.js';
import type { NewGuideSource } from '../model/guide.js';
import { shownLocation, sourceKind } from '../model/source.js';
import type { Connection } from './connection.js';
import type { GuideSourcePatch } from './guide-house.js';
import { type Columns, type GuideSourceRow, guideColumns, guideDefaults } from './guide-source-row.js';
import { checkVersion } from './if-match.js';
import { record } from './journal.js';

/** What users change of guides. Those that flag or configuration give are theirs alone. */
export const guideSourceEdits = {
  /** Resolves with the id. One that was removed, or that nobody names any more, comes back with its links. */
  addGuideSource({ raw }: Connection, { source, by }: { readonly source: NewGuideSource; readonly by: By }) {
    const run = raw.transaction(() => {
      const location = located(source.kind, source.location);
      const known = rowOf(raw, location);
      if (known !== undefined && known.removed === 0 && known.missing_since === null) throw taken(known.id);
      let id = known?.id ?? 0;
      const summary = `add guide source ${source.name ?? shownLocation(location)}`;
      const edited = record(raw, by.actor, summary, (journal) => {
        const { kind, position = nextPosition(raw), ...said } = source;
        const columns = { ...guideColumns({ ...guideDefaults, ...said, location, position }), kind, origin: 'user' };
        if (known === undefined) {
          id = insert(raw, columns);
          journal.made('guide_source', [id]);
        } else {
          journal.touch('guide_source', [[id]]);
          update(raw, id, { ...columns, removed: 0, missing_since: null });
        }
      });
      return { ...edited, made: id };
    });
    return run.immediate();
  },

  updateGuideSource(
    { raw }: Connection,
    { id, patch, by }: { readonly id: number; readonly patch: GuideSourcePatch; readonly by: By },
  ) {
    const run = raw.transaction(() => {
      const row = requireOwn(raw, id, by);
      const location = patch.location === undefined ? {} : { location: located(row.kind, patch.location) };
      const other = location.location === undefined ? undefined : rowOf(raw, location.location);
      if (other !== undefined && other.id !== id) throw taken(other.id);
      return record(raw, by.actor, `change guide source ${id}`, (journal) => {
        journal.touch('guide_source', [[id]]);
        update(raw, id, guideColumns({ ...patch, ...location }));
      });
    });
    return run.immediate();
  },

  /** Its links stay and come back with it. */
  removeGuideSource({ raw }: Connection, { id, by }: { readonly id: number; readonly by: By }) {
    const run = raw.transaction(() => {
      requireOwn(raw, id, by);
      return record(raw, by.actor, `remove guide source ${id}`, (journal) => {
        journal.touch('guide_source', [[id]]);
        update(raw, id, { removed: 1 });
      });
    });
    return run.immediate();
  },
};

/** Guides that lists name stand from here on, behind those that people chose. */
export const listPositions = 1_000_000;

function nextPosition(raw: Database.Database): number {
  const last = raw.prepare('SELECT coalesce(max(position), -1) FROM guide_source WHERE position < ?');
  return Number(last.pluck().get(listPositions)) + 1;
}

function insert(raw: Database.Database, columns: Columns): number {
  const names = Object.keys(columns);
  const add = raw.prepare(`INSERT INTO guide_source (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`);
  return Number(add.run(...Object.values(columns)).lastInsertRowid);
}

function update(raw: Database.Database, id: number, columns: Columns): void {
  const names = Object.keys(columns);
  if (names.length === 0) return;
  const set = names.map((name) => `${name} = ?`).join(', ');
  raw.prepare(`UPDATE guide_source SET ${set} WHERE id = ?`).run(...Object.values(columns), id);
}

function located(kind: NewGuideSource['kind'], location: string): string {
  if (sourceKind(location) !== kind) {
    throw new WeirError('invalid', `The location is not that of a guide source of kind ${kind}.`);
  }
  return kind === 'file' ? resolve(location) : location;
}

function rowOf(raw: Database.Database, location: string): GuideSourceRow | undefined {
  return raw.prepare('SELECT * FROM guide_source WHERE location = ?').get(location) as GuideSourceRow | undefined;
}

function taken(id: number): WeirError {
  return new WeirError('conflict', `There is a guide source of that location: guide source ${id}.`);
}

function requireOwn(raw: Database.Database, id: number, by: By): GuideSourceRow {
  const find = raw.prepare('SELECT * FROM guide_source WHERE id = ? AND removed = 0');
  const row = find.get(id) as GuideSourceRow | undefined;
  if (row === undefined) throw new WeirError('not-found', `There is no guide source ${id}.`);
  if (row.origin === 'given') {
    throw new WeirError('conflict', 'This guide source is given by flag or configuration: change it there.');
  }
  checkVersion(row.version, by.ifMatch, `Guide source ${id}`);
  return row;
}
