import type { Selectable } from 'kysely';
import type { ChannelFilter } from '../model/channel.js';
import type { Lineup, LineupItem } from '../model/lineup.js';
import type { Tables } from './tables.js';

export function lineupOf({ id, slug, name, filter, version }: Selectable<Tables['lineup']>): Lineup {
  return { id, slug, name, filter: filter === null ? null : (JSON.parse(filter) as ChannelFilter), version };
}

export function lineupItemOf(row: Selectable<Tables['lineup_item']>): LineupItem {
  return { channel: row.channel, order: row.sort_order, number: row.number, excluded: row.excluded === 1 };
}
