import type Database from 'better-sqlite3';
import { now } from '../lib/clock.js';
import type { GivenGuide } from '../model/guide.js';
import { sourceKind } from '../model/source.js';
import type { Connection } from './connection.js';
import { listPositions } from './guide-source-edits.js';
import { guideColumns, guideDefaults } from './guide-source-row.js';

/** What flag, configuration and lists say of guides. No entry of the change log: nobody did it. */
export const guideSourceWrites = {
  giveGuides({ raw }: Connection, { guides }: { readonly guides: readonly GivenGuide[] }): void {
    const run = raw.transaction(() => {
      for (const [position, guide] of guides.entries()) give(raw, guide, position);
      const withdraw = raw.prepare(`UPDATE guide_source SET
          origin = iif(${isNamed}, 'list', 'user'), missing_since = iif(${isNamed}, NULL, ?)
        WHERE origin = 'given' AND location NOT IN (SELECT value FROM json_each(?))`);
      withdraw.run(now(), JSON.stringify(guides.map(({ location }) => location)));
    });
    run.immediate();
  },

  nameGuides(
    { raw }: Connection,
    { source, urls }: { readonly source: number; readonly urls: readonly string[] },
  ): boolean {
    const run = raw.transaction(() => {
      const isThere = raw.prepare("SELECT 1 FROM source WHERE id = ? AND state <> 'removed'").get(source) !== undefined;
      const named = isThere ? urls.map((url) => nameOne(raw, source, url)) : [];
      const ids = JSON.stringify(named.map(({ id }) => id));
      const forget =
        'DELETE FROM guide_source_list WHERE source = ? AND guide_source NOT IN (SELECT value FROM json_each(?))';
      raw.prepare(forget).run(source, ids);
      const lose = raw.prepare(`UPDATE guide_source SET missing_since = ?
        WHERE origin = 'list' AND missing_since IS NULL AND NOT ${isNamed}`);
      const lost = lose.run(now()).changes;
      return lost > 0 || named.some(({ changed }) => changed);
    });
    return run.immediate();
  },
};

const isNamed = 'EXISTS (SELECT 1 FROM guide_source_list n WHERE n.guide_source = guide_source.id)';

/** Whatever it was before: removed by a user, named by a list. */
function give(raw: Database.Database, guide: GivenGuide, position: number): void {
  const said = guideColumns({ ...guideDefaults, ...guide, position });
  const columns = { ...said, kind: sourceKind(guide.location), origin: 'given', missing_since: null, removed: 0 };
  const names = Object.keys(columns);
  const upsert = raw.prepare(`INSERT INTO guide_source (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
    ON CONFLICT (location) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`);
  upsert.run(...Object.values(columns));
}

type Named = { readonly id: number; readonly changed: boolean };
type Known = { id: number; missing_since: number | null; removed: number };

/** One that the user removed is named, and stays removed. */
function nameOne(raw: Database.Database, source: number, url: string): Named {
  const known = find(raw, url);
  const id = known?.id ?? add(raw, url);
  const link = raw.prepare('INSERT OR IGNORE INTO guide_source_list (guide_source, source) VALUES (?, ?)');
  link.run(id, source);
  if (known === undefined) return { id, changed: true };
  if (known.missing_since === null) return { id, changed: false };
  raw.prepare("UPDATE guide_source SET origin = 'list', missing_since = NULL WHERE id = ?").run(id);
  return { id, changed: known.removed === 0 };
}

/** A guide that is given or added as well is that one, however its address is written. */
function find(raw: Database.Database, url: string): Known | undefined {
  const same = 'SELECT id, missing_since, removed FROM guide_source WHERE location = ?';
  const found = raw.prepare(same).get(url) as Known | undefined;
  if (found !== undefined) return found;
  const rows = raw.prepare("SELECT id, missing_since, removed, location FROM guide_source WHERE kind = 'url'").all();
  return (rows as (Known & { location: string })[]).find(({ location }) => canonical(location) === canonical(url));
}

function canonical(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

function add(raw: Database.Database, location: string): number {
  const insert = raw.prepare(`INSERT INTO guide_source (kind, location, origin, position)
    SELECT 'url', ?, 'list', max(?, coalesce(max(position) + 1, 0)) FROM guide_source`);
  return Number(insert.run(location, listPositions).lastInsertRowid);
}
