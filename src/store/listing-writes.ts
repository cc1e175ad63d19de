import type Database from 'better-sqlite3';
import type { ChannelOverride } from '../model/channel.js';
import { type Effective, effective } from '../model/effective.js';
import type { EntryDetail } from '../model/entry.js';
import { extrasOf } from '../model/extras.js';
import { compileRules, type Ruled, type RuleSet, type Said } from '../model/rules.js';
import { searchText } from '../model/search.js';
import { ruleOf } from './rule-row.js';
import { statement } from './statements.js';
import type { Tables } from './tables.js';

/** The columns of a listing that hold effective values. */
export type ListedValues = {
  readonly hidden: number;
  readonly sortOrder: number | null;
  readonly name: string;
  readonly search: string;
  readonly number: string | null;
  readonly groups: string;
  readonly logo: string | null;
  readonly tvgId: string | null;
  readonly guideShift: number | null;
  readonly radio: number;
  readonly extras: string | null;
};

type Override = Tables['channel_override'];

/** Effective values as they are stored. */
export function listedValues(
  said: Said,
  detail: Pick<EntryDetail, 'attributes' | 'directives' | 'headers' | 'urls' | 'guideShift'>,
  shown: Effective,
): ListedValues {
  const { name, number, groups, logo, tvgId, hidden, order, radio, hints } = shown;
  return {
    hidden: Number(hidden),
    sortOrder: order,
    name,
    search: searchText({ name, saidName: said.name, number, tvgId }),
    number,
    groups: JSON.stringify(groups),
    logo,
    tvgId,
    guideShift: shown.guideShift ?? detail.guideShift,
    radio: Number(radio),
    extras: extrasOf(detail, hints),
  };
}

export function overrideOf(row: Override): ChannelOverride {
  const json = <T>(text: string | null) => (text === null ? null : (JSON.parse(text) as T));
  return {
    name: row.name,
    number: row.number,
    logo: row.logo,
    groups: json(row.groups),
    tvgId: row.tvg_id,
    guideShift: row.guide_shift,
    hidden: row.hidden === null ? null : row.hidden === 1,
    order: row.sort_order,
    catchup: json(row.catchup),
    hints: json(row.hints),
  };
}

/** The compiled rules as they stand. */
export function compiledRules(raw: Database.Database): RuleSet {
  const rows = raw.prepare('SELECT * FROM rule WHERE enabled = 1 ORDER BY position, id').all();
  return compileRules((rows as Parameters<typeof ruleOf>[0][]).map(ruleOf));
}

type RelistedRow = {
  channel: number;
  snapshot: number;
  position: number;
  rank: number;
  source: number;
  url: string;
  name: string;
  groups: string;
  tvg_id: string | null;
  said: string;
  rule_number: string | null;
};

/**
 * Makes the listing rows of channels anew, in every snapshot that has them, after what they depend on was changed:
 * overrides, rules, the entries of a channel. For the inside of a transaction.
 */
export function relist(raw: Database.Database, channels: readonly number[]): void {
  const rows =
    raw.prepare(`SELECT c.id AS channel, e.snapshot, e.position, ce.rank, n.source, e.url, e.name, e.groups, e.tvg_id, e.said,
      c.rule_number
    FROM json_each(?) JOIN channel c ON c.id = value JOIN channel_entry ce ON ce.channel = c.id
    JOIN snapshot_entry e ON e.entry = ce.entry JOIN snapshot n ON n.id = e.snapshot`);
  const found = rows.all(JSON.stringify(channels)) as RelistedRow[];
  const made = found.map((row) => ({ row, detail: JSON.parse(row.said) as EntryDetail }));
  const saids = made.map(({ row, detail }) => saidOf(row, detail));
  const ruled = ruledOf(
    compiledRules(raw),
    found.map(({ source }) => source),
    saids,
  );
  const edits = overridesOf(raw, channels);
  const update =
    raw.prepare(`UPDATE listing SET channel = ?, rank = ?, hidden = ?, sort_order = ?, name = ?, search = ?, number = ?,
    groups = ?, logo = ?, tvg_id = ?, guide_shift = ?, extras = ? WHERE snapshot = ? AND position = ?`);
  for (const [index, { row, detail }] of made.entries()) {
    const [said, rules] = [saids[index], ruled[index]];
    if (said === undefined || rules === undefined) continue;
    const v = listedValues(said, detail, effective(said, rules, row.rule_number, edits.get(row.channel) ?? null));
    update.run(
      ...[row.channel, row.rank, v.hidden, v.sortOrder, v.name, v.search, v.number],
      ...[v.groups, v.logo, v.tvgId, v.guideShift, v.extras, row.snapshot, row.position],
    );
  }
}

/** What the rules make of entries of several sources, in their order. */
function ruledOf(rules: RuleSet, sources: readonly number[], saids: readonly Said[]): Ruled[] {
  const ruled: Ruled[] = [];
  for (const source of new Set(sources)) {
    const own = [...saids.keys()].filter((index) => sources[index] === source);
    const made = rules.applyAll(
      source,
      own.flatMap((index) => saids[index] ?? []),
    );
    for (const [count, index] of own.entries()) {
      const one = made[count];
      if (one !== undefined) ruled[index] = one;
    }
  }
  return ruled;
}

/** By channel, of those that have any. */
export function overridesOf(raw: Database.Database, channels: readonly number[]): Map<number, ChannelOverride> {
  const rows = statement(raw, 'SELECT o.* FROM json_each(?) JOIN channel_override o ON o.channel = value');
  return new Map((rows.all(JSON.stringify(channels)) as Override[]).map((row) => [row.channel, overrideOf(row)]));
}

/** What rules and effective values are made of. */
export function saidOf(
  row: { readonly url: string; readonly name: string; readonly groups: string; readonly tvg_id: string | null },
  { number, logo, radio }: EntryDetail,
): Said {
  return {
    name: row.name,
    number,
    groups: JSON.parse(row.groups) as string[],
    logo,
    tvgId: row.tvg_id,
    radio,
    url: row.url,
  };
}
