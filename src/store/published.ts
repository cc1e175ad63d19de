import type Database from 'better-sqlite3';
import type { Selectable } from 'kysely';
import { WeirError } from '../lib/errors.js';
import type { Channel, ChannelFilter } from '../model/channel.js';
import { channelFilter } from './channel-filter.js';
import { toChannel } from './channels.js';
import { type Connection, openForReading } from './connection.js';
import type { Tables } from './tables.js';

type Row = Selectable<Tables['shown_channel']>;

/**
 * Hands over what is published, or a line-up's channels with its numbers, in order, as they stand at one instant. Opens the
 * database by itself, for a thread that does nothing else.
 * @throws WeirError `not-found` when there is no such line-up.
 */
export function readPublished<T>(dir: string, lineup: string | null, read: (channels: Iterable<Channel>) => T): T {
  const connection = openForReading(dir);
  try {
    const all = connection.raw.transaction(() =>
      read(lineup === null ? listed(connection, {}) : ofLineup(connection, lineup)),
    );
    return all();
  } finally {
    connection.close();
  }
}

/** Those that the user put somewhere, then source by source. */
function* listed({ raw, db }: Connection, filter: ChannelFilter): Generator<Channel> {
  const published = db
    .selectFrom('shown_channel')
    .selectAll()
    .where('hidden', '=', 0)
    .where((e) => e.or([e('upstream', 'is not', null), e('publish_direct', '=', 1)]))
    .where(channelFilter(filter));
  yield* channelsOf(raw, published.where('sort_order', 'is not', null).orderBy('sort_order').orderBy('id').compile());
  const snapshots = raw.prepare(
    'SELECT snapshot FROM source WHERE listed = 1 AND snapshot IS NOT NULL ORDER BY given DESC, position, id',
  );
  for (const snapshot of snapshots.pluck().all() as number[]) {
    const rows = published.where('snapshot', '=', snapshot).where('sort_order', 'is', null).orderBy('position');
    yield* channelsOf(raw, rows.compile());
  }
}

function* channelsOf(
  raw: Database.Database,
  query: { readonly sql: string; readonly parameters: readonly unknown[] },
): Generator<Channel> {
  for (const row of raw.prepare(query.sql).iterate(...query.parameters)) yield toChannel(row as Row);
}

type Item = Selectable<Tables['lineup_item']>;

/** Those that it puts somewhere, then the others as the whole list has them. */
function ofLineup(connection: Connection, slug: string): Channel[] {
  const { raw } = connection;
  const lineup = raw.prepare('SELECT * FROM lineup WHERE slug = ?').get(slug) as
    | Selectable<Tables['lineup']>
    | undefined;
  if (lineup === undefined) throw new WeirError('not-found', `There is no line-up "${slug}".`);
  const rows = raw.prepare('SELECT * FROM lineup_item WHERE lineup = ?').all(lineup.id) as Item[];
  const items = new Map(rows.map((item) => [item.channel, item]));
  const filtered =
    lineup.filter === null ? null : new Set(idsOf(listed(connection, JSON.parse(lineup.filter) as ChannelFilter)));
  const channels: Channel[] = [];
  for (const channel of listed(connection, {})) {
    const item = items.get(channel.id);
    const isIn = item === undefined ? filtered?.has(channel.id) === true : item.excluded === 0;
    if (isIn) channels.push({ ...channel, number: item?.number ?? channel.number });
  }
  const orderOf = ({ id }: Channel) => items.get(id)?.sort_order ?? Number.POSITIVE_INFINITY;
  // Infinity less Infinity is no number: those stay as they are.
  return channels.sort((one, other) => orderOf(one) - orderOf(other) || 0);
}

function* idsOf(channels: Iterable<Channel>): Generator<number> {
  for (const { id } of channels) yield id;
}
