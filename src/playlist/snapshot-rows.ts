import { inChunks } from '../lib/chunks.js';
import type { CatchupSetting } from '../model/archive.js';
import { effective } from '../model/effective.js';
import type { EntryUrl, SaidEntry } from '../model/entry.js';
import { wantsNumber } from '../model/numbering.js';
import type { Numbering, Ruled, RuleSet, Said } from '../model/rules.js';
import type { Upstream } from '../model/stream.js';
import { formatUpstream, parseUpstreamUrl } from '../model/upstream.js';
import { archiveText, type ListedColumns, listedColumns, listedValues, saidOf } from '../store/listing-writes.js';
import type { Missing } from '../store/snapshot-writes.js';
import type { ServedEntry } from '../store/snapshots.js';
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
  /** What the household says of the archives of its channels. */
  readonly catchup: CatchupSetting | null;
};

/** An entry of a new snapshot, but for what is shown of it. */
type LaidEntry = {
  readonly said: SaidEntry;
  /** The entry that it continues, or null. */
  readonly from: number | null;
  readonly missing: Missing | null;
  readonly upstream: Upstream | null;
};

/** An entry of a new snapshot. */
export type PlannedEntry = Omit<LaidEntry, 'upstream'> & {
  /** What is shown of it as long as nobody edits it; null when it is no channel. */
  readonly listed: ListedColumns | null;
  /** The range that a rule wants to give it a number of, or null. */
  readonly numbering: Numbering | null;
};

/** The snapshot in service once more, after rules were changed. */
export function restageSnapshot(previous: readonly ServedEntry[], options: PlanOptions): Iterable<PlannedEntry> {
  function* rows() {
    for (const entry of previous) yield servedEntry(entry, entry.missing);
  }
  return listed(rows(), options);
}

/** Rows that are looked at together while no rule has to see all of them: what they need is garbage before it is old. */
const part = 500;

/** Adds what is shown of entries that nobody edited. Rules see all of them at once: one that must be given up has changed none. */
export function* listed(rows: Iterable<LaidEntry>, options: PlanOptions): Generator<PlannedEntry> {
  const parts = options.rules.isEmpty ? inChunks(rows, part) : [[...rows]];
  for (const some of parts) yield* listedPart(some, options);
}

function* listedPart(rows: readonly LaidEntry[], options: PlanOptions): Generator<PlannedEntry> {
  const { source, rules, includeVod, catchup } = options;
  const channels = rows.filter(({ said: { kind } }) => kind === 'live' || includeVod);
  const saids = channels.map(({ said }) => saidOf(said));
  const ruled = rules.applyAll(source, saids);
  let next = 0;
  for (const row of rows) {
    const [one, made] = row === channels[next] ? [saids[next], ruled[next]] : [];
    if (one === undefined || made === undefined) {
      yield { said: row.said, from: row.from, missing: row.missing, listed: null, numbering: null };
      continue;
    }
    next += 1;
    const numbering = wantsNumber(made.numbering, one.number) ? made.numbering : null;
    yield { said: row.said, from: row.from, missing: row.missing, listed: shown(row, one, made, catchup), numbering };
  }
}

function shown({ said, upstream }: LaidEntry, one: Said, ruled: Ruled, catchup: CatchupSetting | null): ListedColumns {
  const values = listedValues(said, effective(one, ruled, null, null));
  const received = upstream === null ? null : JSON.stringify(upstream);
  return listedColumns(values, { url: one.url, upstream: received, archive: archiveText(said, [null, catchup]) });
}

export function newEntry(entry: PlaylistEntry, from: number | null, upstream: Upstream | null): LaidEntry {
  const fallback = upstream === null ? 'Unnamed' : formatUpstream(upstream);
  const said = entry.name === '' ? { ...entry, name: fallback } : entry;
  return { said, from, missing: null, upstream };
}

/** One that the list does not have any more. */
export function missingEntry(entry: ServedEntry, { now, refresh }: PlanOptions): LaidEntry {
  return servedEntry(entry, entry.missing ?? { since: now, refresh, left: false });
}

function servedEntry({ id, said }: ServedEntry, missing: Missing | null): LaidEntry {
  return { said, from: id, missing, upstream: firstUpstream(said.urls) };
}

/** The first address that the relay can receive. */
export function firstUpstream(urls: readonly EntryUrl[]): Upstream | null {
  for (const { url } of urls) {
    const parsed = parseUpstreamUrl(url);
    if (parsed !== null && 'upstream' in parsed) return parsed.upstream;
  }
  return null;
}
