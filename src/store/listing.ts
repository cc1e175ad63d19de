import type { ChannelOverride } from '../model/channel.js';
import type { EntryDetail } from '../model/entry.js';
import type { Said } from '../model/rules.js';
import type { Connection } from './connection.js';
import { overrideOf, saidOf } from './listing-writes.js';
import type { Tables } from './tables.js';

/** A channel with what its effective values are made of. */
export type ListedChannel = {
  readonly channel: number;
  readonly source: number;
  readonly said: Said;
  readonly ruleNumber: string | null;
  readonly override: ChannelOverride | null;
};

export interface Listing {
  /** All channels that are shown, as parts of some thousands. */
  pages(): AsyncGenerator<ListedChannel[]>;
  /** The same, with little of each. */
  names(): {
    channel: number;
    source: number;
    name: string;
    tvgId: string | null;
    groups: string[];
    number: string | null;
    isEdited: boolean;
  }[];
}

const page = 1000;

type Row = {
  id: number;
  source: number;
  url: string;
  name: string;
  groups: string;
  tvg_id: string | null;
  said: string;
  rule_number: string | null;
};

/** What is shown, for work that goes through all of it. */
export function createListing({ raw }: Connection): Listing {
  const next = `SELECT v.id, v.source, e.url, e.name, e.groups, e.tvg_id, e.said, c.rule_number
    FROM shown_channel v JOIN snapshot_entry e ON e.snapshot = v.snapshot AND e.position = v.position JOIN channel c ON c.id = v.id
    WHERE v.snapshot = ? AND v.position > ? ORDER BY v.position LIMIT ${page}`;
  return {
    async *pages() {
      const snapshots = raw
        .prepare('SELECT snapshot FROM source WHERE listed = 1 AND snapshot IS NOT NULL ORDER BY position, id')
        .pluck()
        .all();
      const overrides = raw.prepare('SELECT * FROM channel_override WHERE channel = ?');
      const rows = raw.prepare(next.replace('SELECT', 'SELECT v.position,'));
      for (const snapshot of snapshots as number[]) {
        let position = -1;
        for (;;) {
          const found = rows.all(snapshot, position) as (Row & { position: number })[];
          yield await Promise.resolve(
            found.map((row) => listedChannel(row, overrides.get(row.id) as Tables['channel_override'] | undefined)),
          );
          position = found.at(-1)?.position ?? position;
          if (found.length < page) break;
        }
      }
    },
    names() {
      const rows =
        raw.prepare(`SELECT v.id AS channel, v.source, v.name, v.tvg_id AS tvgId, v.groups, v.number, o.channel IS NOT NULL AS edited
        FROM shown_channel v LEFT JOIN channel_override o ON o.channel = v.id`);
      type Named = {
        channel: number;
        source: number;
        name: string;
        tvgId: string | null;
        groups: string;
        number: string | null;
        edited: number;
      };
      return (rows.all() as Named[]).map(({ edited, groups, ...row }) => ({
        ...row,
        groups: JSON.parse(groups) as string[],
        isEdited: edited === 1,
      }));
    },
  };
}

function listedChannel(row: Row, set: Tables['channel_override'] | undefined): ListedChannel {
  const said = saidOf(row, JSON.parse(row.said) as EntryDetail);
  const override = set === undefined ? null : overrideOf(set);
  return { channel: row.id, source: row.source, said, ruleNumber: row.rule_number, override };
}
