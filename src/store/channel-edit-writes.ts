import type Database from 'better-sqlite3';
import { WeirError } from '../lib/errors.js';
import type { ChannelOverride } from '../model/channel.js';
import type { By, Edited, Selection } from '../model/edit.js';
import { channelFilter } from './channel-filter.js';
import { named, requireChannels } from './channel-ids.js';
import type { Connection } from './connection.js';
import { checkChannel } from './if-match.js';
import { begin, type Journal, record, resume, tryOut } from './journal.js';

/** What is left to do of an edit that is too big for one transaction: other writes come between its parts. */
export type Unfinished = { readonly change: number | null; readonly channels: readonly number[] };

type Edit = {
  readonly selection: Selection;
  readonly patch: Partial<ChannelOverride>;
  readonly by: By;
  readonly dryRun: boolean;
};
type Part = {
  /** Null for a dry run. */
  readonly change: number | null;
  readonly channels: readonly number[];
  readonly patch: Partial<ChannelOverride>;
};

/** Channels that are edited in one transaction. */
export const atOnce = 10_000;

export const channelEditWrites = {
  editChannels(connection: Connection, edit: Edit): Edited | { readonly unfinished: Unfinished } {
    return connection.raw.transaction(() => editChannels(connection, edit)).immediate();
  },
  /** A part of an edit that `editChannels` left unfinished. Returns how many channels it changed. */
  editPart({ raw }: Connection, { change, channels, patch }: Part): number {
    const write = overriding(raw, channels, patch);
    return raw.transaction(() => (change === null ? tryOut(raw, write) : resume(raw, change, write))).immediate();
  },
};

function editChannels(connection: Connection, { selection, patch, by, dryRun }: Edit) {
  const { raw } = connection;
  const channels = select(connection, selection);
  const [first] = channels;
  if (by.ifMatch !== undefined && first !== undefined) {
    if (channels.length > 1)
      throw new WeirError('invalid', 'An ETag is of one channel: edit one, or leave If-Match out.');
    checkChannel(raw, first, by.ifMatch);
  }
  if (channels.length > atOnce) {
    const change = dryRun ? null : begin(raw, by.actor, summaryOf(raw, channels, patch));
    return { unfinished: { change, channels } };
  }
  const write = overriding(raw, channels, patch);
  if (dryRun) return { change: null, rows: tryOut(raw, write) };
  return record(raw, by.actor, summaryOf(raw, channels, patch), write);
}

function select({ raw, db }: Connection, selection: Selection): readonly number[] {
  if ('ids' in selection) return requireChannels(raw, selection.ids);
  const query = db.selectFrom('shown_channel').select('id').where(channelFilter(selection.filter)).compile();
  return raw
    .prepare(query.sql)
    .pluck()
    .all(...query.parameters) as number[];
}

/** Columns of the table by the fields of the override that they hold. */
const columnOf = {
  name: 'name',
  number: 'number',
  logo: 'logo',
  groups: 'groups',
  tvgId: 'tvg_id',
  guideShift: 'guide_shift',
  hidden: 'hidden',
  order: 'sort_order',
  catchup: 'catchup',
  hints: 'hints',
} as const satisfies Record<keyof ChannelOverride, string>;

function fieldsOf(patch: Partial<ChannelOverride>): (keyof ChannelOverride)[] {
  return (Object.keys(columnOf) as (keyof ChannelOverride)[]).filter((field) => patch[field] !== undefined);
}

/** Sets columns of many channels in one statement; a row that sets nothing any more is removed. */
function overriding(raw: Database.Database, channels: readonly number[], patch: Partial<ChannelOverride>) {
  const fields = fieldsOf(patch);
  const columns = fields.map((field) => columnOf[field]);
  const values = fields.map((field) => stored(patch[field] ?? null));
  return (journal: Journal): void => {
    if (columns.length === 0) return;
    const ids = JSON.stringify(channels);
    journal.touch(
      'channel_override',
      channels.map((id) => [id]),
    );
    const updates = columns.map((column) => `${column} = excluded.${column}`).join(', ');
    const set = raw.prepare(`INSERT INTO channel_override (channel, ${columns.join(', ')})
      SELECT c.id, ${columns.map(() => '?').join(', ')} FROM json_each(?) JOIN channel c ON c.id = value
      WHERE c.merged_into IS NULL ON CONFLICT (channel) DO UPDATE SET ${updates}`);
    set.run(...values, ids);
    const empty = `coalesce(${Object.values(columnOf).join(', ')}) IS NULL`;
    raw.prepare(`DELETE FROM channel_override WHERE channel IN (SELECT value FROM json_each(?)) AND ${empty}`).run(ids);
  };
}

function stored(value: ChannelOverride[keyof ChannelOverride]): string | number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function summaryOf(raw: Database.Database, channels: readonly number[], patch: Partial<ChannelOverride>): string {
  const fields = fieldsOf(patch);
  const done = (verb: string, part: readonly string[]) => (part.length === 0 ? [] : [`${verb} ${part.join(', ')}`]);
  const set = done(
    'set',
    fields.filter((field) => patch[field] !== null),
  );
  const reset = done(
    'reset',
    fields.filter((field) => patch[field] === null),
  );
  return `${[...set, ...reset].join(', ')} of ${named(raw, channels)}`;
}
