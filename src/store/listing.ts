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

/** What channels are compared by. */
export type NamedChannel = {
  readonly channel: number;
  readonly source: number;
  readonly name: string;
  readonly tvgId: string | null;
  readonly groups: readonly string[];
  readonly radio: boolean;
  /** Whether a user changed it. */
  readonly isEdited: boolean;
};

type NamedRow = Omit<NamedChannel, 'groups' | 'radio' | 'isEdited'> & { groups: string; radio: number; edited: number };

export interface Listing {
  /** All channels that are shown, as parts of some thousands. */
  pages(): AsyncGenerator<ListedChannel[]>;
  /** The same, with little of each. */
  names(): NamedChannel[];
  /** Ids of the listed sources, in their order. */
  sources(): number[];
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
        .prepare(
          'SELECT snapshot FROM source WHERE listed = 1 AND snapshot IS NOT NULL ORDER BY given DESC, position, id',
        )
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
        raw.prepare(`SELECT v.id AS channel, v.source, v.name, v.tvg_id AS tvgId, v.groups, v.radio, o.channel IS NOT NULL AS edited
        FROM shown_channel v LEFT JOIN channel_override o ON o.channel = v.id`);
      return (rows.all() as NamedRow[]).map(({ edited, radio, groups, ...row }) => {
        return { ...row, groups: JSON.parse(groups) as string[], radio: radio === 1, isEdited: edited === 1 };
      });
    },
    sources: () =>
      raw.prepare('SELECT id FROM source WHERE listed = 1 ORDER BY given DESC, position, id').pluck().all() as number[],
  };
}

function listedChannel(row: Row, set: Tables['channel_override'] | undefined): ListedChannel {
  const said = saidOf(row, JSON.parse(row.said) as EntryDetail);
  const override = set === undefined ? null : overrideOf(set);
  return { channel: row.id, source: row.source, said, ruleNumber: row.rule_number, override };
}
