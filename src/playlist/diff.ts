import { effective } from '../model/effective.js';
import type { EntryDetail, EntryUrl } from '../model/entry.js';
import { wantsNumber } from '../model/numbering.js';
import type { ChangeKind, Changes, EntryChange } from '../model/refresh.js';
import type { RuleSet } from '../model/rules.js';
import type { Upstream } from '../model/stream.js';
import { formatUpstream, parseUpstreamUrl } from '../model/upstream.js';
import { listedValues, saidOf } from '../store/listing-writes.js';
import type { SnapshotSummary, StagedEntry } from '../store/snapshot-writes.js';
import type { SnapshotRow } from '../store/snapshots.js';
import { type Identity, identityOf, type Matching, matchEntries } from './identity.js';
import { schemeOf } from './read/address.js';
import type { Playlist, PlaylistEntry } from './read/entry.js';

/** What the user set is kept for an entry that is missing this long, in seconds. */
const remembered = 90 * 24 * 3600;
/** A list that drops a larger share of its entries, and more of them, is not trusted. */
const toleratedShare = 0.3;
const toleratedCount = 20;

export type PlanOptions = {
  readonly source: number;
  /** Number of this refresh of the source. */
  readonly refresh: number;
  /** Epoch seconds. */
  readonly now: number;
  readonly rules: RuleSet;
  /** Whether movies and series are channels too. */
  readonly includeVod: boolean;
};

export type Plan = {
  /** Made as they are taken, so that they are written while the rest is made. */
  readonly rows: Iterable<StagedEntry>;
  /** What changed, entry by entry; nothing for a first list. An added entry is named by its position. */
  readonly changes: Iterable<PlannedChange>;
  readonly summary: SnapshotSummary;
  /** Pairs that share an address and nothing else: the entry that was there, and the position of the new one. */
  readonly suspects: readonly { readonly entry: number; readonly position: number }[];
  /** Why the list should not enter service by itself, or null. */
  readonly objection: string | null;
};
/** The position tells the id of an entry that has none yet. */
export type PlannedChange = EntryChange & { readonly position: number | null };

/**
 * Compares a list with the entries in service and lays out the snapshot that would follow them: the list's entries in
 * its order, then those that are missing from it.
 */
export function planSnapshot(previous: readonly SnapshotRow[], list: Playlist, options: PlanOptions): Plan {
  const { entries } = list;
  const next = previous.length === 0 ? [] : entries.map(identityOfEntry);
  const before = previous.map(identityOfRow);
  const matching = matchEntries(before, next);
  const { continues } = matching;
  const kept = new Set(continues);
  const gone = previous.filter((_, index) => !kept.has(index));
  const dropped = gone.filter(({ state }) => state === 'present');
  const present = previous.filter(({ state }) => state === 'present').length;
  const upstreams = entries.map(({ urls }) => firstUpstream(urls));
  const isChannel = (entry: PlaylistEntry) => entry.kind === 'live' || options.includeVod;
  const comparison = { previous, before, next, list, matching };
  const added = entries.length - continues.filter((from) => from !== null).length;
  const suspects = matching.suspects.flatMap(([from, position]) => {
    const entry = previous[from]?.entry;
    return entry === undefined ? [] : [{ entry, position }];
  });
  const carried = gone.filter(({ missing_since: since }) => since === null || since > options.now - remembered);
  function* rows() {
    const said = entries.map((entry, position) => {
      const from = previous[continues[position] ?? -1]?.entry ?? null;
      return saidEntry(entry, position, from, upstreams[position] ?? null);
    });
    yield* listed(
      [...said, ...carried.map((row, index) => missingEntry(row, entries.length + index, options))],
      options,
    );
  }
  return {
    rows: rows(),
    changes: previous.length === 0 ? [] : changesOf(comparison, dropped),
    summary: {
      entries: entries.length,
      channels: entries.filter(isChannel).length,
      skipped: count(
        entries.filter((entry, index) => isChannel(entry) && upstreams[index] === null).map(schemeOfEntry),
      ),
      kinds: count(entries.filter((entry) => !isChannel(entry)).map(({ kind }) => kind)),
      problems: count(list.problems.map(({ code }) => code)),
      header: list.header.attributes,
      changes: { added, removed: dropped.length, suspect: suspects.length, ...countChanges(comparison) },
    },
    suspects,
    objection: objectionTo(dropped.length, present),
  };
}

/** The snapshot in service once more, after rules were changed. */
export function restageSnapshot(previous: readonly SnapshotRow[], options: PlanOptions): Iterable<StagedEntry> {
  return listed(
    previous.map((row) => ({ ...saidRow(row), position: row.position, missing: missingOf(row) })),
    options,
  );
}

function identityOfEntry(entry: PlaylistEntry): Identity {
  return identityOf({ ...entry, url: entry.urls[0]?.url ?? '' });
}

function identityOfRow({ url, name, tvg_id: tvgId, groups, state }: SnapshotRow): Identity {
  return identityOf({ url, name, tvgId, groups: JSON.parse(groups) as string[], missing: state !== 'present' });
}

function objectionTo(dropped: number, present: number): string | null {
  if (dropped <= toleratedCount || dropped <= present * toleratedShare) return null;
  return `It would drop ${dropped} of ${present} entries, more than ${toleratedShare * 100} %.`;
}

/** The first address that the relay can receive. */
function firstUpstream(urls: readonly EntryUrl[]): Upstream | null {
  for (const { url } of urls) {
    const parsed = parseUpstreamUrl(url);
    if (parsed !== null && 'upstream' in parsed) return parsed.upstream;
  }
  return null;
}

function upstreamJson(urls: readonly EntryUrl[]): string | null {
  const upstream = firstUpstream(urls);
  return upstream === null ? null : JSON.stringify(upstream);
}

function schemeOfEntry({ urls }: PlaylistEntry): string {
  return schemeOf(urls[0]?.url ?? '');
}

/** A row but for what is shown of it. */
type SaidEntry = Omit<StagedEntry, 'listed' | 'numbering'> & { readonly detail: EntryDetail };

/** Adds what is shown of entries that nobody edited. Rules see all of them at once: one that must be given up has changed none. */
function* listed(rows: readonly SaidEntry[], { source, rules, includeVod }: PlanOptions): Generator<StagedEntry> {
  const isChannel = ({ kind }: SaidEntry) => kind === 'live' || includeVod;
  const details = rows.map((row) => (isChannel(row) ? row.detail : null));
  const saids = rows.map((row, index) => {
    const detail = details[index];
    return detail ? saidOf({ ...row, tvg_id: row.tvgId }, detail) : null;
  });
  const ruled = rules.applyAll(
    source,
    saids.filter((said) => said !== null),
  );
  let next = 0;
  for (const [index, { detail: _, ...row }] of rows.entries()) {
    const [detail, said, made] = [details[index], saids[index], ruled[next]];
    if (!detail || !said || made === undefined) {
      yield { ...row, listed: null, numbering: null };
      continue;
    }
    next += 1;
    const values = listedValues(said, detail, effective(said, made, null, null));
    yield { ...row, listed: values, numbering: wantsNumber(made.numbering, said.number) ? made.numbering : null };
  }
}

function saidEntry(entry: PlaylistEntry, position: number, from: number | null, upstream: Upstream | null): SaidEntry {
  const { line, kind, tvgId, tvgName, number, logo, radio, urls, headers, catchup, attributes, directives } = entry;
  const url = urls[0]?.url ?? '';
  const fallback = upstream === null ? 'Unnamed' : formatUpstream(upstream);
  const name = entry.name === '' ? fallback : entry.name;
  const detail = { tvgName, number, logo, radio, urls, headers, catchup, attributes, directives } satisfies EntryDetail;
  const said = { line, kind, url, name, tvgId, groups: JSON.stringify(entry.groups), said: JSON.stringify(detail) };
  return {
    position,
    entry: from,
    missing: null,
    ...said,
    detail,
    upstream: upstream === null ? null : JSON.stringify(upstream),
  };
}

function saidRow(row: SnapshotRow): Omit<SaidEntry, 'position' | 'missing'> {
  const { entry, line, kind, url, name, tvg_id: tvgId, groups, said } = row;
  const detail = JSON.parse(said) as EntryDetail;
  return { entry, line, kind, url, name, tvgId, groups, said, detail, upstream: upstreamJson(detail.urls) };
}

function missingOf({ state, missing_since: since, missing_refresh: refresh }: SnapshotRow): StagedEntry['missing'] {
  return state === 'present' ? null : { since: since ?? 0, refresh: refresh ?? 0, left: state === 'left' };
}

function missingEntry(row: SnapshotRow, position: number, options: PlanOptions): SaidEntry {
  const missing = missingOf(row) ?? { since: options.now, refresh: options.refresh, left: false };
  return { ...saidRow(row), position, missing };
}

type Comparison = {
  readonly previous: readonly SnapshotRow[];
  readonly before: readonly Identity[];
  readonly next: readonly Identity[];
  readonly list: Playlist;
  readonly matching: Matching;
};

function countChanges({ previous, before, next, list, matching }: Comparison) {
  const changes = { returned: 0, renamed: 0, moved: 0, readdressed: 0, regrouped: 0 } satisfies Partial<Changes>;
  for (const [index, after] of next.entries()) {
    const from = matching.continues[index] ?? -1;
    const was = before[from];
    if (was === undefined) continue;
    const sameUrl = previous[from]?.url === list.entries[index]?.urls[0]?.url;
    changes.returned += Number(was.missing);
    changes.renamed += Number(was.name !== after.name);
    changes.moved += Number(was.place !== after.place);
    changes.readdressed += Number(was.place === after.place && !sameUrl);
    changes.regrouped += Number(was.group !== after.group);
  }
  return changes;
}

function* changesOf(comparison: Comparison, dropped: readonly SnapshotRow[]): Generator<PlannedChange> {
  const suspects = new Map(comparison.matching.suspects.map(([from, to]) => [to, from]));
  for (const [position, entry] of comparison.list.entries.entries()) {
    const from = comparison.matching.continues[position] ?? null;
    if (from === null) {
      yield newcomer(entry, position, comparison.previous[suspects.get(position) ?? -1]);
      continue;
    }
    const change = changed(comparison, entry, position, from);
    if (change !== null) yield change;
  }
  for (const { entry, name } of dropped) {
    yield { kind: 'removed', entry, position: null, name, fields: {}, reason: null };
  }
}

function newcomer({ name }: PlaylistEntry, position: number, taken: SnapshotRow | undefined): PlannedChange {
  if (taken === undefined) return { kind: 'added', entry: null, position, name, fields: {}, reason: null };
  const reason = `It has the address of "${taken.name}" and nothing else of it.`;
  return { kind: 'suspect', entry: null, position, name, fields: {}, reason };
}

/** Null when nothing worth telling changed. */
function changed(comparison: Comparison, entry: PlaylistEntry, position: number, from: number): PlannedChange | null {
  const { previous, before, next, matching } = comparison;
  const row = previous[from];
  if (row === undefined) return null;
  const fields = changedFields(row, entry, before[from]?.place === next[position]?.place);
  const kind: ChangeKind = row.state === 'present' ? 'changed' : 'returned';
  if (kind === 'changed' && Object.keys(fields).length === 0) return null;
  return { kind, entry: row.entry, position, name: entry.name, fields, reason: matching.reasons[position] ?? null };
}

/** An address of which only what always changes has changed is not worth a line. */
function changedFields(row: SnapshotRow, entry: PlaylistEntry, isSamePlace: boolean): EntryChange['fields'] {
  const was = JSON.parse(row.said) as EntryDetail;
  const pairs: Record<string, readonly [unknown, unknown]> = {
    name: [row.name, entry.name],
    tvgId: [row.tvg_id, entry.tvgId],
    groups: [JSON.parse(row.groups), entry.groups],
    number: [was.number, entry.number],
    logo: [was.logo, entry.logo],
    kind: [row.kind, entry.kind],
    catchup: [was.catchup, entry.catchup],
    ...(isSamePlace ? {} : { url: [row.url, entry.urls[0]?.url ?? ''] }),
  };
  return Object.fromEntries(
    Object.entries(pairs).filter(([, [before, after]]) => JSON.stringify(before) !== JSON.stringify(after)),
  );
}

function count(values: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries(counts);
}
