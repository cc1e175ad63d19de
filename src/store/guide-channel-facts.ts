import type Database from 'better-sqlite3';
import type { SaidEntry } from '../model/entry.js';
import type { GuideReceiver } from '../model/guide.js';
import type { MatchChannel } from '../model/guide-match.js';
import type { Connection } from './connection.js';
import type { GuideHouse, ShownReceiver } from './guide-house.js';
import { pageSize, parseSaid } from './pages.js';
import { allOf, listed } from './published.js';
import { lineupChannels } from './published-lineup.js';

/** The most days back that a guide is kept for. */
const mostDays = 30;

type Facts = Pick<GuideHouse, 'receivers' | 'receiversOf' | 'receiversBehind' | 'matchChannels'>;

/** Channel by channel in the order of their ids: the list need not be sorted for that. */
const shown = `SELECT v.id AS channel, v.name, v.guide_shift AS guideShift
  FROM channel c CROSS JOIN shown_channel v ON v.id = c.id`;
const isPublished = 'v.hidden = 0 AND (v.upstream IS NOT NULL OR v.publish_direct = 1)';

/** What guides have to know of channels. */
export function createGuideChannelFacts(connection: Connection): Facts {
  const { raw } = connection;
  const some = raw.prepare(`${shown} WHERE c.id IN (SELECT value FROM json_each(?)) AND ${isPublished} ORDER BY c.id`);
  const next = raw.prepare(`${shown} WHERE c.id > ? AND ${isPublished} ORDER BY c.id LIMIT ?`);
  return {
    receivers(lineup) {
      const days = archiveDays(raw);
      const read = raw.transaction(() => {
        const all = allOf(listed(raw));
        const channels = lineup === null ? all : lineupChannels(raw, lineup, all);
        return Array.from(channels, ({ id, key, name, number, tvgId, guideShift, logo }): GuideReceiver => {
          return { channel: id, key, name, number, tvgId, guideShift, days: days.get(id) ?? 0, logo };
        });
      });
      return read();
    },
    receiversOf: (channels) => some.all(JSON.stringify(channels)) as ShownReceiver[],
    receiversBehind: (channel, limit) => next.all(channel, limit) as ShownReceiver[],
    matchChannels: () => matchChannels(raw),
  };
}

type Row = Omit<MatchChannel, 'saidNames' | 'groups' | 'radio'> & {
  readonly position: number;
  readonly groups: string;
  readonly radio: number;
};

async function* matchChannels(raw: Database.Database): AsyncGenerator<MatchChannel[]> {
  const next = raw.prepare(`SELECT v.position, v.id AS channel, v.name, v.tvg_id AS tvgId, v.groups, v.radio
    FROM shown_channel v LEFT JOIN guide_choice g ON g.channel = v.id
    WHERE v.snapshot = ? AND v.position >= ? AND v.position < ? AND v.hidden = 0 AND coalesce(g.mode, 'auto') = 'auto'
    ORDER BY v.position`);
  const said = raw.prepare(
    'SELECT page, said FROM snapshot_page WHERE snapshot = ? AND page >= ? ORDER BY page LIMIT 4',
  );
  for (const snapshot of served(raw)) {
    let pages: Page[] = [];
    do {
      pages = said.all(snapshot, (pages.at(-1)?.page ?? -1) + 1) as Page[];
      const found = pages.flatMap((one) => {
        const entries = parseSaid(one.said);
        const first = one.page * pageSize;
        const rows = next.all(snapshot, first, first + pageSize) as Row[];
        return rows.map((row) => toMatchChannel(row, entries[row.position - first]));
      });
      if (found.length > 0) yield await Promise.resolve(found);
    } while (pages.length > 0);
  }
}

type Page = { readonly page: number; readonly said: string };

function served(raw: Database.Database): number[] {
  const snapshots = raw.prepare('SELECT snapshot FROM source WHERE listed = 1 AND snapshot IS NOT NULL ORDER BY id');
  return snapshots.pluck().all() as number[];
}

function toMatchChannel(row: Row, entry: SaidEntry | undefined): MatchChannel {
  const { channel, name, tvgId, groups, radio } = row;
  const said = new Set([entry?.name ?? '', entry?.tvgName ?? ''].filter((one) => one !== '' && one !== name));
  return { channel, name, saidNames: [...said], tvgId, groups: JSON.parse(groups) as string[], radio: radio === 1 };
}

/** How many days back the archives of channels reach, by channel. */
function archiveDays(raw: Database.Database): Map<number, number> {
  const rows = raw.prepare("SELECT id, archive ->> 'days' FROM shown_channel WHERE archive IS NOT NULL").raw();
  const archives = rows.all() as [channel: number, days: number][];
  return new Map(archives.map(([channel, days]) => [channel, Math.min(mostDays, days)]));
}
