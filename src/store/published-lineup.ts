import type Database from 'better-sqlite3';
import type { Selectable } from 'kysely';
import { WeirError } from '../lib/errors.js';
import type { Channel, ChannelFilter } from '../model/channel.js';
import { channelFilter } from './channel-filter.js';
import type { Tables } from './tables.js';
import { typed } from './typed.js';

type Item = Selectable<Tables['lineup_item']>;

/**
 * The channels of a line-up with its numbers: those that it puts somewhere, then the others as the whole list has them.
 * @throws WeirError `not-found` when there is no such line-up.
 */
export function lineupChannels(raw: Database.Database, slug: string, listed: Iterable<Channel>): Channel[] {
  const lineup = raw.prepare('SELECT * FROM lineup WHERE slug = ?').get(slug) as
    | Selectable<Tables['lineup']>
    | undefined;
  if (lineup === undefined) throw new WeirError('not-found', `There is no line-up "${slug}".`);
  const rows = raw.prepare('SELECT * FROM lineup_item WHERE lineup = ?').all(lineup.id) as Item[];
  const items = new Map(rows.map((item) => [item.channel, item]));
  const filtered = lineup.filter === null ? null : matching(raw, JSON.parse(lineup.filter) as ChannelFilter);
  const channels: Channel[] = [];
  for (const channel of listed) {
    const item = items.get(channel.id);
    const isIn = item === undefined ? filtered?.has(channel.id) === true : item.excluded === 0;
    if (isIn) channels.push({ ...channel, number: item?.number ?? channel.number });
  }
  const orderOf = ({ id }: Channel) => items.get(id)?.sort_order ?? Number.POSITIVE_INFINITY;
  // Infinity less Infinity is no number: those stay as they are.
  return channels.sort((one, other) => orderOf(one) - orderOf(other) || 0);
}

/** Ids of the channels that a filter lets in. */
function matching(raw: Database.Database, filter: ChannelFilter): Set<unknown> {
  const { db } = typed(raw);
  const { sql, parameters } = db.selectFrom('shown_channel').select('id').where(channelFilter(filter)).compile();
  const ids = raw.prepare(sql).pluck();
  return new Set(ids.all(...parameters));
}
