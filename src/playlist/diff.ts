import type { Upstream } from '../model/stream.js';
import { formatUpstream, parseUpstreamUrl } from '../model/upstream.js';
import type { SnapshotSummary, StagedEntry } from '../store/snapshot-writes.js';
import type { SnapshotRow } from '../store/snapshots.js';
import { type Identity, identityOf, matchEntries } from './identity.js';
import { schemeOf } from './read/address.js';
import type { EntryUrl, Playlist, PlaylistEntry } from './read/entry.js';

/** What the user set is kept for an entry that is missing this long, in seconds. */
const remembered = 90 * 24 * 3600;
/** A list that drops a larger share of its entries, and more of them, is not trusted. */
const toleratedShare = 0.3;
const toleratedCount = 20;

export type Plan = {
  /** Made as they are taken, so that they are written while the rest is made. */
  readonly rows: Iterable<StagedEntry>;
  readonly summary: SnapshotSummary;
  /** Why the list should not enter service by itself, or null. */
  readonly objection: string | null;
};

/**
 * Compares a list with the entries in service and lays out the snapshot that would follow them: the list's entries in
 * its order, then those that are missing from it. `refresh` numbers this refresh of the source; `now` is in epoch seconds.
 */
export function planSnapshot(previous: readonly SnapshotRow[], list: Playlist, refresh: number, now: number): Plan {
  const receivable = list.entries.map(({ urls }) => firstUpstream(urls));
  const next = previous.length === 0 ? [] : list.entries.map(identityOfEntry);
  const before = previous.map(identityOfRow);
  const { continues, suspects } = matchEntries(before, next);
  const kept = new Set(continues);
  const gone = previous.filter((_, index) => !kept.has(index));
  const dropped = gone.filter(({ state }) => state === 'present').length;
  const present = previous.filter(({ state }) => state === 'present').length;
  const added = list.entries.length - continues.filter((from) => from !== null).length;
  const shared = countChanges({ before, next, continues });
  const summary = {
    entries: list.entries.length,
    channels: receivable.filter((upstream) => upstream !== null).length,
    skipped: count(list.entries.filter((_, index) => receivable[index] === null).map(schemeOfEntry)),
    problems: count(list.problems.map(({ code }) => code)),
    changes: { added, removed: dropped, suspect: suspects.length, ...shared },
  };
  function* rows() {
    for (const [position, entry] of list.entries.entries()) {
      const from = previous[continues[position] ?? -1]?.entry ?? null;
      yield stagedEntry(entry, position, from, receivable[position] ?? null);
    }
    const carried = gone.filter(({ missing_since: since }) => since === null || since > now - remembered);
    for (const [index, row] of carried.entries()) {
      yield missingEntry(row, list.entries.length + index, refresh, now);
    }
  }
  return { rows: rows(), summary, objection: objectionTo(dropped, present) };
}

function identityOfEntry(entry: PlaylistEntry): Identity {
  return identityOf({ ...entry, url: entry.urls[0]?.url ?? '' });
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

function stagedEntry(
  said: PlaylistEntry,
  position: number,
  entry: number | null,
  upstream: Upstream | null,
): StagedEntry {
  const fallback = upstream === null ? 'Unnamed' : formatUpstream(upstream);
  return {
    position,
    entry,
    missing: null,
    line: said.line,
    raw: said.raw,
    name: said.name === '' ? fallback : said.name,
    tvgId: said.tvgId,
    tvgName: said.tvgName,
    groups: JSON.stringify(said.groups),
    logo: said.logo,
    urls: JSON.stringify(said.urls),
    attributes: JSON.stringify(said.attributes),
    upstream: upstream === null ? null : JSON.stringify(upstream),
  };
}

function missingEntry(row: SnapshotRow, position: number, refresh: number, now: number): StagedEntry {
  const { entry, line, raw, name, tvg_id: tvgId, tvg_name: tvgName, groups, logo, urls, attributes, upstream } = row;
  const since = row.missing_since ?? now;
  const missing = { since, refresh: row.missing_refresh ?? refresh, left: row.state === 'left' };
  return { position, entry, missing, line, raw, name, tvgId, tvgName, groups, logo, urls, attributes, upstream };
}

function identityOfRow(row: SnapshotRow): Identity {
  const [first] = JSON.parse(row.urls) as EntryUrl[];
  const groups = JSON.parse(row.groups) as string[];
  const { name, tvg_id: tvgId, state } = row;
  return identityOf({ url: first?.url ?? '', name, tvgId, groups, missing: state !== 'present' });
}

type Compared = {
  readonly before: readonly Identity[];
  readonly next: readonly Identity[];
  readonly continues: readonly (number | null)[];
};

function countChanges({ before, next, continues }: Compared) {
  const changes = { returned: 0, renamed: 0, moved: 0, regrouped: 0 };
  for (const [index, after] of next.entries()) {
    const was = before[continues[index] ?? -1];
    if (was === undefined) continue;
    changes.returned += Number(was.missing);
    changes.renamed += Number(was.name !== after.name);
    changes.moved += Number(was.place !== after.place);
    changes.regrouped += Number(was.group !== after.group);
  }
  return changes;
}

function count(values: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries(counts);
}
