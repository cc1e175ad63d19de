import { inChunks } from '../lib/chunks.js';
import { effective } from '../model/effective.js';
import type { EntryDetail, EntryUrl } from '../model/entry.js';
import { wantsNumber } from '../model/numbering.js';
import type { ChangeKind, Changes, EntryChange } from '../model/refresh.js';
import type { RuleSet, Said } from '../model/rules.js';
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
  readonly suspects: readonly { readonly entry: number; readonly position: number; readonly reason: string }[];
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
  const suspects = matching.suspects.flatMap(([from, position], index) => {
    const entry = previous[from]?.entry;
    return entry === undefined ? [] : [{ entry, position, reason: matching.doubts[index] ?? '' }];
  });
  const carried = gone.filter(({ missing_since: since }) => since === null || since > options.now - remembered);
  function* rows() {
    for (const [position, entry] of entries.entries()) {
      const from = previous[continues[position] ?? -1]?.entry ?? null;
      yield saidEntry(entry, position, from, upstreams[position] ?? null);
    }
    for (const [index, row] of carried.entries()) yield missingEntry(row, entries.length + index, options);
  }
  return {
    rows: listed(rows(), options),
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
  function* rows() {
    for (const row of previous) yield saidRow(row, row.position, missingOf(row));
  }
  return listed(rows(), options);
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

function schemeOfEntry({ urls }: PlaylistEntry): string {
  return schemeOf(urls[0]?.url ?? '');
}

/** A row but for what is shown of it, and what that is made of. */
type SaidEntry = {
  readonly row: Omit<StagedEntry, 'listed' | 'numbering'>;
  readonly detail: EntryDetail;
  readonly said: Said;
};

/** Rows that are looked at together while no rule has to see all of them: what they need is garbage before it is old. */
const part = 500;

/** Adds what is shown of entries that nobody edited. Rules see all of them at once: one that must be given up has changed none. */
function* listed(rows: Iterable<SaidEntry>, options: PlanOptions): Generator<StagedEntry> {
  const parts = options.rules.isEmpty ? inChunks(rows, part) : [[...rows]];
  for (const some of parts) yield* listedPart(some, options);
}

function* listedPart(rows: readonly SaidEntry[], { source, rules, includeVod }: PlanOptions): Generator<StagedEntry> {
  const isChannel = ({ row: { kind } }: SaidEntry) => kind === 'live' || includeVod;
  const ruled = rules.applyAll(
    source,
    rows.filter(isChannel).map(({ said }) => said),
  );
  let next = 0;
  for (const one of rows) {
    const made = isChannel(one) ? ruled[next] : undefined;
    if (made === undefined) {
      yield { ...one.row, listed: null, numbering: null };
      continue;
    }
    next += 1;
    const { row, detail, said } = one;
    const values = listedValues(said, detail, effective(said, made, null, null));
    yield { ...row, listed: values, numbering: wantsNumber(made.numbering, said.number) ? made.numbering : null };
  }
}

function saidEntry(entry: PlaylistEntry, position: number, from: number | null, upstream: Upstream | null): SaidEntry {
  const { line, kind, tvgId, tvgName, number, logo, radio, guideShift, urls, headers, catchup, groups } = entry;
  const { attributes, directives } = entry;
  const url = urls[0]?.url ?? '';
  const fallback = upstream === null ? 'Unnamed' : formatUpstream(upstream);
  const name = entry.name === '' ? fallback : entry.name;
  const told = { tvgName, number, logo, radio, guideShift };
  const detail = { ...told, urls, headers, catchup, attributes, directives } satisfies EntryDetail;
  const texts = { groups: JSON.stringify(groups), said: JSON.stringify(detail), upstream: jsonOf(upstream) };
  const row = { position, entry: from, missing: null, line, kind, url, name, tvgId, ...texts };
  return { row, detail, said: { name, number, groups, logo, tvgId, radio, url } };
}

function saidRow(from: SnapshotRow, position: number, missing: StagedEntry['missing']): SaidEntry {
  const { entry, line, kind, url, name, tvg_id: tvgId, groups, said } = from;
  const detail = JSON.parse(said) as EntryDetail;
  const upstream = jsonOf(firstUpstream(detail.urls));
  const row = { position, entry, missing, line, kind, url, name, tvgId, groups, said, upstream };
  return { row, detail, said: saidOf(from, detail) };
}

function jsonOf(upstream: Upstream | null): string | null {
  return upstream === null ? null : JSON.stringify(upstream);
}

function missingOf({ state, missing_since: since, missing_refresh: refresh }: SnapshotRow): StagedEntry['missing'] {
  return state === 'present' ? null : { since: since ?? 0, refresh: refresh ?? 0, left: state === 'left' };
}

function missingEntry(row: SnapshotRow, position: number, options: PlanOptions): SaidEntry {
  const missing = missingOf(row) ?? { since: options.now, refresh: options.refresh, left: false };
  return saidRow(row, position, missing);
}

type Comparison = {
  readonly previous: readonly SnapshotRow[];
  readonly before: readonly Identity[];
  readonly next: readonly Identity[];
  readonly list: Playlist;
  readonly matching: Matching;
};

function countChanges({ before, next, matching }: Comparison) {
  const changes = { returned: 0, renamed: 0, moved: 0, readdressed: 0, regrouped: 0 } satisfies Partial<Changes>;
  for (const [index, after] of next.entries()) {
    const was = before[matching.continues[index] ?? -1];
    if (was === undefined) continue;
    const addressed = matching.addressed[index];
    changes.returned += Number(was.missing);
    changes.renamed += Number(was.name !== after.name);
    changes.moved += Number(addressed === 'moved');
    changes.readdressed += Number(addressed === 'renewed');
    changes.regrouped += Number(was.group !== after.group);
  }
  return changes;
}

function* changesOf(comparison: Comparison, dropped: readonly SnapshotRow[]): Generator<PlannedChange> {
  const { suspects, doubts } = comparison.matching;
  const doubted = new Map(suspects.map(([, to], index) => [to, doubts[index] ?? null]));
  for (const [position, entry] of comparison.list.entries.entries()) {
    const from = comparison.matching.continues[position] ?? null;
    if (from === null) {
      const kind = doubted.has(position) ? 'suspect' : 'added';
      yield { kind, entry: null, position, name: entry.name, fields: {}, reason: doubted.get(position) ?? null };
      continue;
    }
    const change = changed(comparison, entry, position, from);
    if (change !== null) yield change;
  }
  for (const { entry, name } of dropped) {
    yield { kind: 'removed', entry, position: null, name, fields: {}, reason: null };
  }
}

/** Null when nothing worth telling changed. */
function changed(comparison: Comparison, entry: PlaylistEntry, position: number, from: number): PlannedChange | null {
  const { previous, matching } = comparison;
  const row = previous[from];
  if (row === undefined) return null;
  const fields = changedFields(row, entry, matching.addressed[position] !== 'moved');
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
