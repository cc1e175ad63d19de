import type { SaidEntry } from '../model/entry.js';
import type { ChangeKind, Changes, EntryChange } from '../model/refresh.js';
import type { SnapshotSummary } from '../store/snapshot-writes.js';
import type { ServedEntry } from '../store/snapshots.js';
import { type Identity, identityOf, type Matching, matchEntries } from './identity.js';
import { schemeOf } from './read/address.js';
import type { Playlist, PlaylistEntry } from './read/entry.js';
import { firstUpstream, listed, missingEntry, newEntry, type PlannedEntry, type PlanOptions } from './snapshot-rows.js';

/** What the user set is kept for an entry that is missing this long, in seconds. */
const remembered = 90 * 24 * 3600;
/** A list that drops a larger share of its entries, and more of them, is not trusted. */
const toleratedShare = 0.3;
const toleratedCount = 20;

export type Plan = {
  /** Made as they are taken, so that they are written while the rest is made. */
  readonly rows: Iterable<PlannedEntry>;
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
export function planSnapshot(previous: readonly ServedEntry[], list: Playlist, options: PlanOptions): Plan {
  const { entries } = list;
  const next = previous.length === 0 ? [] : entries.map(identityOfEntry);
  const before = previous.map(identityOfServed);
  const matching = matchEntries(before, next);
  const { continues } = matching;
  const kept = new Set(continues);
  const gone = previous.filter((_, index) => !kept.has(index));
  const dropped = gone.filter(({ missing }) => missing === null);
  const present = previous.filter(({ missing }) => missing === null).length;
  const upstreams = entries.map(({ urls }) => firstUpstream(urls));
  const isChannel = (entry: PlaylistEntry) => entry.kind === 'live' || options.includeVod;
  const comparison = { previous, before, next, list, matching };
  const added = entries.length - continues.filter((from) => from !== null).length;
  const suspects = matching.suspects.flatMap(([from, position], index) => {
    const entry = previous[from]?.id;
    return entry === undefined ? [] : [{ entry, position, reason: matching.doubts[index] ?? '' }];
  });
  const carried = gone.filter(({ missing }) => missing === null || missing.since > options.now - remembered);
  function* rows() {
    for (const [position, entry] of entries.entries()) {
      const from = previous[continues[position] ?? -1]?.id ?? null;
      yield newEntry(entry, from, upstreams[position] ?? null);
    }
    for (const entry of carried) yield missingEntry(entry, options);
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

function identityOfEntry(entry: PlaylistEntry): Identity {
  return identityOf({ ...entry, url: entry.urls[0]?.url ?? '' });
}

function identityOfServed({ said, missing }: ServedEntry): Identity {
  const { urls, name, tvgId, groups } = said;
  return identityOf({ url: urls[0]?.url ?? '', name, tvgId, groups, missing: missing !== null });
}

function objectionTo(dropped: number, present: number): string | null {
  if (dropped <= toleratedCount || dropped <= present * toleratedShare) return null;
  return `It would drop ${dropped} of ${present} entries, more than ${toleratedShare * 100} %.`;
}

function schemeOfEntry({ urls }: PlaylistEntry): string {
  return schemeOf(urls[0]?.url ?? '');
}

type Comparison = {
  readonly previous: readonly ServedEntry[];
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

function* changesOf(comparison: Comparison, dropped: readonly ServedEntry[]): Generator<PlannedChange> {
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
  for (const { id, said } of dropped) {
    yield { kind: 'removed', entry: id, position: null, name: said.name, fields: {}, reason: null };
  }
}

/** Null when nothing worth telling changed. */
function changed(comparison: Comparison, entry: PlaylistEntry, position: number, from: number): PlannedChange | null {
  const { previous, matching } = comparison;
  const was = previous[from];
  if (was === undefined) return null;
  const fields = changedFields(was.said, entry, matching.addressed[position] !== 'moved');
  const kind: ChangeKind = was.missing === null ? 'changed' : 'returned';
  if (kind === 'changed' && Object.keys(fields).length === 0) return null;
  return { kind, entry: was.id, position, name: entry.name, fields, reason: matching.reasons[position] ?? null };
}

/** An address of which only what always changes has changed is not worth a line. */
function changedFields(was: SaidEntry, entry: PlaylistEntry, isSamePlace: boolean): EntryChange['fields'] {
  const pairs: Record<string, readonly [unknown, unknown]> = {
    name: [was.name, entry.name],
    tvgId: [was.tvgId, entry.tvgId],
    groups: [was.groups, entry.groups],
    number: [was.number, entry.number],
    logo: [was.logo, entry.logo],
    kind: [was.kind, entry.kind],
    catchup: [was.catchup, entry.catchup],
    ...(isSamePlace ? {} : { url: [was.urls[0]?.url ?? '', entry.urls[0]?.url ?? ''] }),
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
