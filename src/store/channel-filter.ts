import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { ChannelFilter } from '../model/channel.js';
import { searchWords } from '../model/search.js';
import type { Tables } from './tables.js';

type Builder = ExpressionBuilder<Tables, 'shown_channel'>;

/** The condition on rows of `shown_channel` that a filter is: `.where(channelFilter(filter))`. */
export function channelFilter(filter: ChannelFilter): (builder: Builder) => Expression<SqlBool> {
  return (builder) => {
    const conditions = searched(filter.q ?? '');
    if (filter.group !== undefined) conditions.push(inGroup(filter.group));
    if (filter.source !== undefined) conditions.push(sql<SqlBool>`source = ${filter.source}`);
    if (filter.state !== undefined) conditions.push(inState[filter.state]);
    return builder.and(conditions);
  };
}

/** Signs alone are no word: they are looked for as they stand, so that a batch of all `★` is none of all channels. */
function searched(query: string): Expression<SqlBool>[] {
  const words = searchWords(query);
  const signs = query.trim();
  if (words.length === 0 && signs !== '') return [sql<SqlBool>`instr(name, ${signs}) > 0`];
  return words.map((word) => sql<SqlBool>`instr(search, ${word}) > 0`);
}

/** The text is looked for first, because taking every row's JSON apart would cost ten times as much. */
function inGroup(group: string) {
  return sql<SqlBool>`(instr(groups, ${JSON.stringify(group)}) > 0
    AND EXISTS (SELECT 1 FROM json_each(groups) WHERE value = ${group}))`;
}

/** A missing channel that can be played is listed as well: it stays for a while. */
const inState = {
  listed: sql<SqlBool>`(hidden = 0 AND (upstream IS NOT NULL OR publish_direct = 1))`,
  hidden: sql<SqlBool>`hidden = 1`,
  unplayable: sql<SqlBool>`upstream IS NULL`,
  missing: sql<SqlBool>`state = 'missing'`,
};
