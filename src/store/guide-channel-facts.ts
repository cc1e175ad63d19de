import type Database from 'better-sqlite3';
import type { Catchup } from '../model/entry.js';
import type { GuideReceiver } from '../model/guide.js';
import type { MatchChannel } from '../model/guide-match.js';
import type { Connection } from './connection.js';
import type { GuideHouse, ShownReceiver } from './guide-house.js';
import { allOf, listed } from './published.js';
import { lineupChannels } from './published-lineup.js';

/** Channels that are read in one go. */
const page = 1000;
/** Days back of an archive whose list does not say how far it reaches, and the most that a guide is kept for. */
const [usualDays, mostDays] = [7, 30];

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

type Row = {
  readonly position: number;
  readonly channel: number;
  readonly name: string;
  readonly tvgId: string | null;
  readonly groups: string;
  readonly radio: number;
  readonly saidName: string;
  readonly tvgName: string | null;
};

async function* matchChannels(raw: Database.Database): AsyncGenerator<MatchChannel[]> {
  const serving = raw
    .prepare('SELECT snapshot FROM source WHERE listed = 1 AND snapshot IS NOT NULL ORDER BY id')
    .pluck();
  const next = raw.prepare(`SELECT v.position, v.id AS channel, v.name, v.tvg_id AS tvgId, v.groups, v.radio,
      e.name AS saidName, e.said ->> '$.tvgName' AS tvgName
    FROM shown_channel v JOIN snapshot_entry e ON e.snapshot = v.snapshot AND e.position = v.position
    LEFT JOIN guide_choice g ON g.channel = v.id
    WHERE v.snapshot = ? AND v.position > ? AND v.hidden = 0 AND coalesce(g.mode, 'auto') = 'auto'
    ORDER BY v.position LIMIT ${page}`);
  for (const snapshot of serving.all()) {
    let rows: Row[] = [];
    do {
      rows = next.all(snapshot, rows.at(-1)?.position ?? -1) as Row[];
      if (rows.length > 0) yield await Promise.resolve(rows.map(toMatchChannel));
    } while (rows.length === page);
  }
}

function toMatchChannel({ channel, name, tvgId, groups, radio, saidName, tvgName }: Row): MatchChannel {
  const said = new Set([saidName, tvgName ?? ''].filter((one) => one !== '' && one !== name));
  return { channel, name, saidNames: [...said], tvgId, groups: JSON.parse(groups) as string[], radio: radio === 1 };
}

/** How many days back the archives of channels reach: what the user set, else what the list says. By channel. */
function archiveDays(raw: Database.Database): Map<number, number> {
  const said = raw.prepare(`SELECT v.id, e.said ->> '$.catchup'
    FROM shown_channel v JOIN snapshot_entry e ON e.snapshot = v.snapshot AND e.position = v.position
    WHERE instr(e.said, '"catchup":{') > 0`);
  const set = raw.prepare('SELECT channel, catchup FROM channel_override WHERE catchup IS NOT NULL');
  const rows = [...said.raw().all(), ...set.raw().all()] as [channel: number, catchup: string | null][];
  return new Map(rows.map(([channel, catchup]) => [channel, daysOf(JSON.parse(catchup ?? '{}') as Partial<Catchup>)]));
}

function daysOf({ days }: Partial<Catchup>): number {
  return Math.min(mostDays, Math.max(0, Math.ceil(days ?? usualDays)));
}
