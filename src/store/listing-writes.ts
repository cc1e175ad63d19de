import type Database from 'better-sqlite3';
import { archiveOf, type CatchupSetting, type CatchupSettings, settingOf, takesPlayseek } from '../model/archive.js';
import type { ChannelOverride } from '../model/channel.js';
import { type Effective, effective } from '../model/effective.js';
import type { SaidEntry } from '../model/entry.js';
import { extrasOf } from '../model/extras.js';
import { compileRules, type Ruled, type RuleSet, type Said } from '../model/rules.js';
import { searchText } from '../model/search.js';
import { OpenPages } from './open-pages.js';
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

/** Columns of a listing from `hidden` on, in their order: an array crosses to the writer in a third of the time of an object. */
export type ListedColumns = readonly (string | number | null)[];

type Override = Tables['channel_override'];

/** Effective values as they are stored. */
export function listedValues(entry: SaidEntry, shown: Effective): ListedValues {
  const { name, number, groups, logo, tvgId, hidden, order, radio, hints } = shown;
  return {
    hidden: Number(hidden),
    sortOrder: order,
    name,
    search: searchText({ name, saidName: entry.name, number, tvgId }),
    number,
    groups: JSON.stringify(groups),
    logo,
    tvgId,
    guideShift: shown.guideShift ?? entry.guideShift,
    radio: Number(radio),
    extras: extrasOf(entry, hints),
  };
}

/** What does not change with edits of its texts: where it comes from. */
export type ListedOrigin = {
  readonly url: string;
  /** JSON; null when the relay cannot receive it. */
  readonly upstream: string | null;
  /** JSON of an Archive, or null. */
  readonly archive: string | null;
};

export function listedColumns(v: ListedValues, { url, upstream, archive }: ListedOrigin): ListedColumns {
  const shown = [v.hidden, v.sortOrder, v.name, v.search, v.number, v.groups, v.logo, v.tvgId, v.guideShift, v.radio];
  shown.push(url, upstream, v.extras, archive);
  return shown;
}

/** Where these columns are among those of `ListedColumns`. */
export const [searchColumn, urlColumn, upstreamColumn, archiveColumn] = [3, 10, 11, 13];

/** What `listedColumns` was given of where an entry comes from. */
export function originOf(columns: ListedColumns): ListedOrigin {
  const text = (index: number) => (typeof columns[index] === 'string' ? columns[index] : null);
  return { url: text(urlColumn) ?? '', upstream: text(upstreamColumn), archive: text(archiveColumn) };
}

/** The column of an entry's archive. */
export function archiveText({ catchup, urls }: SaidEntry, settings: CatchupSettings): string | null {
  const isSaid = catchup !== null || settings.some((setting) => setting !== null);
  // Most lists say nothing of archives: for their entries nothing is made.
  if (!isSaid && !urls.some(({ url }) => takesPlayseek(url))) return null;
  const archive = archiveOf(
    catchup,
    settings,
    urls.map(({ url }) => url),
  );
  return archive === null ? null : JSON.stringify(archive);
}

/** A setting as its column has it. */
export function storedSetting(text: string | null): CatchupSetting | null {
  return text === null ? null : settingOf(JSON.parse(text) as Partial<CatchupSetting>);
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
    catchup: storedSetting(row.catchup),
    hints: json(row.hints),
  };
}

/** The compiled rules as they stand. */
export function compiledRules(raw: Database.Database): RuleSet {
  const rows = raw.prepare('SELECT * FROM rule WHERE enabled = 1 ORDER BY position, id').all();
  return compileRules((rows as Parameters<typeof ruleOf>[0][]).map(ruleOf));
}

/** A listing, and what its values are made of besides what is said. */
type Relisted = {
  readonly snapshot: number;
  readonly position: number;
  readonly source: number;
  readonly channel: number;
  readonly rank: number;
  readonly rule_number: string | null;
  /** Of its source. */
  readonly catchup: string | null;
};

/**
 * Makes the listing rows of channels anew, in every snapshot that has them, after what they depend on was changed: overrides,
 * rules, the entries of a channel (of both channels where an entry went from one to another). For the inside of a transaction.
 */
export function relist(raw: Database.Database, channels: readonly number[]): void {
  const listings = statement(
    raw,
    `SELECT l.snapshot, l.position, n.source, ce.channel, ce.rank, c.rule_number, s.catchup
    FROM json_each(?) JOIN listing l ON l.channel = value JOIN channel_entry ce ON ce.entry = l.entry
    JOIN channel c ON c.id = ce.channel JOIN snapshot n ON n.id = l.snapshot JOIN source s ON s.id = n.source`,
  );
  const found = listings.all(JSON.stringify(channels)) as Relisted[];
  const pages = new OpenPages(raw);
  const entries = found.map(({ snapshot, position }) => pages.entry(snapshot, position));
  const ruled = ruledOf(
    compiledRules(raw),
    found.map(({ source }) => source),
    entries.map(saidOf),
  );
  const edits = overridesOf(raw, [...new Set(found.map(({ channel }) => channel))]);
  for (const [index, row] of found.entries()) {
    const [entry, rules] = [entries[index], ruled[index]];
    if (entry === undefined || rules === undefined) continue;
    const edit = edits.get(row.channel) ?? null;
    const values = listedValues(entry, effective(saidOf(entry), rules, row.rule_number, edit));
    const settings = [edit?.catchup ?? null, storedSetting(row.catchup)] as const;
    update(raw, row, values, archiveText(entry, settings));
    pages.setSearch(row.snapshot, row.position, values.search);
  }
  pages.save();
}

function update(raw: Database.Database, row: Relisted, v: ListedValues, archive: string | null): void {
  const { channel, rank, snapshot, position } = row;
  const set = statement(
    raw,
    `UPDATE listing SET channel = ?, rank = ?, hidden = ?, sort_order = ?, name = ?, search = ?, number = ?,
    groups = ?, logo = ?, tvg_id = ?, guide_shift = ?, extras = ?, archive = ? WHERE snapshot = ? AND position = ?`,
  );
  const owned = [channel, rank, v.hidden, v.sortOrder];
  const named = [v.name, v.search, v.number, v.groups, v.logo, v.tvgId, v.guideShift, v.extras, archive];
  set.run(owned, named, snapshot, position);
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
export function saidOf({ name, number, groups, logo, tvgId, radio, urls }: SaidEntry): Said {
  return { name, number, groups, logo, tvgId, radio, url: urls[0]?.url ?? '' };
}
