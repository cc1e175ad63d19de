import { inChunks } from '../lib/chunks.js';
import { effective } from '../model/effective.js';
import type { EntryDetail, EntryUrl } from '../model/entry.js';
import { wantsNumber } from '../model/numbering.js';
import type { Ruled, RuleSet, Said } from '../model/rules.js';
import type { Upstream } from '../model/stream.js';
import { formatUpstream, parseUpstreamUrl } from '../model/upstream.js';
import { listedValues, saidOf } from '../store/listing-writes.js';
import type { StagedEntry } from '../store/snapshot-writes.js';
import type { SnapshotRow } from '../store/snapshots.js';
import type { PlaylistEntry } from './read/entry.js';

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

/** The snapshot in service once more, after rules were changed. */
export function restageSnapshot(previous: readonly SnapshotRow[], options: PlanOptions): Iterable<StagedEntry> {
  function* rows() {
    for (const row of previous) yield saidRow(row, row.position, missingOf(row));
  }
  return listed(rows(), options);
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
export function* listed(rows: Iterable<SaidEntry>, options: PlanOptions): Generator<StagedEntry> {
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
    if (made !== undefined) next += 1;
    yield staged(one, made);
  }
}

/** `ruled` is undefined of what is no channel. */
function staged({ row, detail, said }: SaidEntry, ruled: Ruled | undefined): StagedEntry {
  const isNumbered = ruled !== undefined && wantsNumber(ruled.numbering, said.number);
  return {
    position: row.position,
    entry: row.entry,
    missing: row.missing,
    line: row.line,
    kind: row.kind,
    url: row.url,
    name: row.name,
    tvgId: row.tvgId,
    groups: row.groups,
    said: row.said,
    upstream: row.upstream,
    listed: ruled === undefined ? null : listedValues(said, detail, effective(said, ruled, null, null)),
    numbering: isNumbered ? ruled.numbering : null,
  };
}

/** In literals without spreads, here and above: with 100,000 entries those take longer than all the rest. */
export function saidEntry(
  entry: PlaylistEntry,
  position: number,
  from: number | null,
  upstream: Upstream | null,
): SaidEntry {
  const { tvgId, tvgName, number, logo, radio, guideShift, urls, headers, catchup, groups } = entry;
  const { attributes, directives } = entry;
  const url = urls[0]?.url ?? '';
  const fallback = upstream === null ? 'Unnamed' : formatUpstream(upstream);
  const name = entry.name === '' ? fallback : entry.name;
  const detail: EntryDetail = {
    tvgName,
    number,
    logo,
    radio,
    guideShift,
    urls,
    headers,
    catchup,
    attributes,
    directives,
  };
  const row = {
    position,
    entry: from,
    missing: null,
    line: entry.line,
    kind: entry.kind,
    url,
    name,
    tvgId,
    groups: JSON.stringify(groups),
    said: JSON.stringify(detail),
    upstream: jsonOf(upstream),
  };
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

export function missingEntry(row: SnapshotRow, position: number, options: PlanOptions): SaidEntry {
  const missing = missingOf(row) ?? { since: options.now, refresh: options.refresh, left: false };
  return saidRow(row, position, missing);
}

/** The first address that the relay can receive. */
export function firstUpstream(urls: readonly EntryUrl[]): Upstream | null {
  for (const { url } of urls) {
    const parsed = parseUpstreamUrl(url);
    if (parsed !== null && 'upstream' in parsed) return parsed.upstream;
  }
  return null;
}
