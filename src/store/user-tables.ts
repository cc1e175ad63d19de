import type { Tables } from './tables.js';

export type Row = Readonly<Record<string, string | number | null>>;
/** Values of the columns of a primary key. */
export type Key = readonly number[];

export type UserTable<T extends keyof Tables = keyof Tables> = {
  readonly key: readonly (keyof Tables[T] & string)[];
  /** What users change, the key included. */
  readonly columns: readonly (keyof Tables[T] & string)[];
  /** Whether its rows are neither made nor removed by an undo: only their columns are set back. */
  readonly fixed: boolean;
  /** Whether rows are removed by imports and matching too: an undo leaves those out, and puts its own in place of theirs. */
  readonly passing?: true;
  /** The table whose row, named by the first column of the key, counts its changes in its version. */
  readonly owner: Owner | null;
  /** A row as a message names it. */
  title(row: Row): string;
};

export type UserTableName =
  | 'channel'
  | 'channel_override'
  | 'channel_entry'
  | 'rule'
  | 'lineup'
  | 'lineup_item'
  | 'suggestion'
  | 'source'
  | 'guide_source'
  | 'guide_choice'
  | 'guide_link'
  | 'guide_rejection';
/** Tables with a column `version`. */
export type Owner = 'channel' | 'rule' | 'lineup' | 'source' | 'guide_source';

/** What users change, and so what the change log keeps. What refers to another one comes after it. */
export const userTables: { readonly [T in UserTableName]: UserTable<T> } = {
  channel: {
    key: ['id'],
    columns: ['id', 'merged_into'],
    fixed: true,
    owner: 'channel',
    title: ({ id }) => `what channel ${id} is merged into`,
  },
  channel_override: {
    key: ['channel'],
    columns: [
      ...(['channel', 'name', 'logo', 'tvg_id', 'groups', 'hidden', 'number'] as const),
      ...(['guide_shift', 'sort_order', 'catchup', 'hints'] as const),
    ],
    fixed: false,
    owner: 'channel',
    title: ({ channel }) => `what is set on channel ${channel}`,
  },
  channel_entry: {
    key: ['channel', 'entry'],
    columns: ['channel', 'entry', 'rank'],
    fixed: false,
    owner: 'channel',
    title: ({ channel, entry }) => `entry ${entry} of channel ${channel}`,
  },
  rule: {
    key: ['id'],
    columns: ['id', 'kind', 'position', 'enabled', 'source', 'match', 'action', 'version'],
    fixed: false,
    owner: 'rule',
    title: ({ id }) => `rule ${id}`,
  },
  lineup: {
    key: ['id'],
    columns: ['id', 'slug', 'name', 'filter', 'version'],
    fixed: false,
    owner: 'lineup',
    title: ({ slug }) => `line-up ${slug}`,
  },
  lineup_item: {
    key: ['lineup', 'channel'],
    columns: ['lineup', 'channel', 'sort_order', 'number', 'excluded'],
    fixed: false,
    owner: 'lineup',
    title: ({ lineup, channel }) => `channel ${channel} in line-up ${lineup}`,
  },
  suggestion: {
    key: ['id'],
    columns: ['id', 'state'],
    fixed: true,
    passing: true,
    owner: null,
    title: ({ id }) => `suggestion ${id}`,
  },
  source: {
    key: ['id'],
    columns: [
      ...(['id', 'location', 'name', 'content', 'position', 'enabled', 'schedule', 'headers'] as const),
      ...(['user_agent', 'proxy', 'time_zone', 'encoding', 'include_vod', 'publish_direct'] as const),
      ...(['interface', 'membership_refresh', 'catchup'] as const),
    ],
    fixed: true,
    owner: 'source',
    title: ({ id }) => `source ${id}`,
  },
  guide_source: {
    key: ['id'],
    columns: [
      ...(['id', 'location', 'name', 'origin', 'position', 'enabled', 'schedule', 'headers', 'user_agent'] as const),
      ...(['proxy', 'time_zone', 'encoding', 'shift', 'removed'] as const),
    ],
    fixed: true,
    owner: 'guide_source',
    title: ({ id }) => `guide source ${id}`,
  },
  guide_choice: {
    key: ['channel'],
    columns: ['channel', 'mode', 'placeholder'],
    fixed: false,
    owner: 'channel',
    title: ({ channel }) => `what is set on the guide of channel ${channel}`,
  },
  guide_link: {
    key: ['id'],
    // What the matcher sees of it later, names and when, is no change of the user's.
    columns: [
      ...(['id', 'channel', 'guide_source', 'guide_id', 'guide_key', 'rank', 'shift'] as const),
      ...(['origin', 'locked', 'score', 'reasons'] as const),
    ],
    fixed: false,
    passing: true,
    owner: null,
    title: ({ channel, guide_id: guide }) => `the link of channel ${channel} to ${guide}`,
  },
  guide_rejection: {
    key: ['id'],
    columns: ['id', 'channel', 'guide_source', 'guide_key'],
    fixed: false,
    owner: null,
    title: ({ channel, guide_key: guide }) => `that channel ${channel} is not ${guide}`,
  },
};

export const userTableNames = Object.keys(userTables) as UserTableName[];
