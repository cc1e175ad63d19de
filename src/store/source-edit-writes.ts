import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { now } from '../lib/clock.js';
import { WeirError } from '../lib/errors.js';
import type { By } from '../model/edit.js';
import { type NewSource, type SourcePatch, type SourceSettings, shownLocation, sourceKind } from '../model/source.js';
import type { Connection } from './connection.js';
import { checkVersion } from './if-match.js';
import { record } from './journal.js';

type Row = { id: number; kind: string; location: string; given: number; state: string; version: number };

/** What users change of sources. Those that flag or configuration give are theirs alone. */
export const sourceEditWrites = {
  /** Resolves with the id. One that was removed comes back with its channels and their edits. */
  addSource({ raw }: Connection, { source, by }: { readonly source: NewSource; readonly by: By }) {
    const run = raw.transaction(() => {
      const location = locationOf(source);
      const known = raw.prepare('SELECT * FROM source WHERE location = ?').get(location) as Row | undefined;
      if (known !== undefined && known.state !== 'removed') {
        throw new WeirError('conflict', `There is a source of that location: source ${known.id}.`);
      }
      let id = known?.id ?? 0;
      const edited = record(raw, by.actor, `add source ${source.name ?? shownLocation(location)}`, (journal) => {
        const columns = columnsOf({ ...defaults, name: null, interface: null, enabled: true, ...source });
        if (known === undefined) {
          id = insert(raw, { ...columns, kind: source.kind, location });
          journal.made('source', [id]);
        } else {
          journal.touch('source', [[id]]);
          update(raw, id, columns);
        }
      });
      revive(raw, id);
      return { ...edited, made: id };
    });
    return run.immediate();
  },

  updateSource({ raw }: Connection, input: { readonly id: number; readonly patch: SourcePatch; readonly by: By }) {
    const { id, patch, by } = input;
    const run = raw.transaction(() => {
      const row = requireOwn(raw, id, by);
      const location = patch.location === undefined ? {} : { location: movedTo(raw, row, patch.location) };
      return record(raw, by.actor, `change source ${id}`, (journal) => {
        journal.touch('source', [[id]]);
        update(raw, id, { ...columnsOf(patch), ...location });
      });
    });
    return run.immediate();
  },

  /** Its channels leave the lists at once; they and their edits come back with it for as long as edits are kept. */
  removeSource({ raw }: Connection, { id, by }: { readonly id: number; readonly by: By }) {
    const run = raw.transaction(() => {
      requireOwn(raw, id, by);
      const edited = record(raw, by.actor, `remove source ${id}`, (journal) => {
        journal.touch('source', [[id]]);
        raw.prepare('UPDATE source SET enabled = 0 WHERE id = ?').run(id);
      });
      const remove =
        "UPDATE source SET state = 'removed', enabled = 0, listed = 0, missing_since = ?, next_refresh_at = NULL WHERE id = ?";
      raw.prepare(remove).run(now(), id);
      raw.exec('UPDATE catalogue SET generation = generation + 1');
      return edited;
    });
    return run.immediate();
  },
};

/** A source that was removed and is enabled again serves what it served before. */
export function revive(raw: Database.Database, id: number): void {
  const back =
    raw.prepare(`UPDATE source SET state = iif(snapshot IS NULL, 'idle', 'published'), reason = NULL, listed = 1, missing_since = NULL
    WHERE id = ? AND state = 'removed' AND enabled = 1`);
  back.run(id);
  raw.exec('UPDATE catalogue SET generation = generation + 1');
}

const defaults: SourceSettings = {
  schedule: null,
  headers: {},
  userAgent: null,
  proxy: null,
  timeZone: null,
  encoding: null,
  includeVod: false,
  publishDirect: false,
  catchup: null,
};

/** Columns by the fields that they hold. */
const columnOf = {
  name: 'name',
  content: 'content',
  enabled: 'enabled',
  interface: 'interface',
  schedule: 'schedule',
  headers: 'headers',
  userAgent: 'user_agent',
  proxy: 'proxy',
  timeZone: 'time_zone',
  encoding: 'encoding',
  includeVod: 'include_vod',
  publishDirect: 'publish_direct',
  catchup: 'catchup',
} as const;

type Columns = Record<string, string | number | null>;

function columnsOf(fields: SourcePatch): Columns {
  const columns: Columns = {};
  for (const [field, column] of Object.entries(columnOf)) {
    const value: unknown = Reflect.get(fields, field);
    if (value === undefined) continue;
    if (typeof value === 'boolean') columns[column] = Number(value);
    else if (value === null || typeof value === 'string') columns[column] = value;
    else columns[column] = JSON.stringify(value);
  }
  return columns;
}

function insert(raw: Database.Database, columns: Columns): number {
  const names = Object.keys(columns);
  const add = raw.prepare(`INSERT INTO source (${names.join(', ')}, given, position)
    SELECT ${names.map(() => '?').join(', ')}, 0, coalesce(max(position), -1) + 1 FROM source`);
  return Number(add.run(...Object.values(columns)).lastInsertRowid);
}

function update(raw: Database.Database, id: number, columns: Columns): void {
  const names = Object.keys(columns);
  if (names.length === 0) return;
  raw
    .prepare(`UPDATE source SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`)
    .run(...Object.values(columns), id);
}

function locationOf({ kind, location, content }: NewSource): string {
  if (kind === 'inline') {
    if (content === undefined) throw new WeirError('invalid', 'An inline source needs content: the text of its list.');
    return `inline:${randomBytes(9).toString('base64url')}`;
  }
  if (location === undefined)
    throw new WeirError('invalid', 'A source needs a location: the address or path of its list.');
  if (sourceKind(location) !== kind)
    throw new WeirError('invalid', `The location is not that of a source of kind ${kind}.`);
  return kind === 'file' ? resolve(location) : location;
}

/** Another location of the same list: its channels and their edits stay. */
function movedTo(raw: Database.Database, row: Row, location: string): string {
  if (row.kind === 'inline') throw new WeirError('invalid', 'An inline source has no location. Change its content.');
  if (sourceKind(location) !== row.kind)
    throw new WeirError('invalid', `The location is not that of a source of kind ${row.kind}.`);
  const full = row.kind === 'file' ? resolve(location) : location;
  const taken = raw.prepare('SELECT id FROM source WHERE location = ? AND id <> ?').pluck().get(full, row.id);
  if (taken !== undefined) throw new WeirError('conflict', `There is a source of that location: source ${taken}.`);
  return full;
}

function requireOwn(raw: Database.Database, id: number, by: By): Row {
  const row = raw.prepare("SELECT * FROM source WHERE id = ? AND state <> 'removed'").get(id) as Row | undefined;
  if (row === undefined) throw new WeirError('not-found', `There is no source ${id}.`);
  if (row.given === 1) {
    throw new WeirError('conflict', 'This source is given by flag or configuration: change it there.');
  }
  checkVersion(row.version, by.ifMatch, `Source ${id}`);
  return row;
}
