import { inChunks } from '../lib/chunks.js';
import { now } from '../lib/clock.js';
import { decompress } from '../lib/decompress.js';
import { WeirError } from '../lib/errors.js';
import { keepsNumber } from '../model/numbering.js';
import type { Changes, EntryChange, RefreshCause } from '../model/refresh.js';
import { compileRules, type RuleSet } from '../model/rules.js';
import type { Listing } from '../store/listing.js';
import { storedSetting } from '../store/listing-writes.js';
import type { Numbered } from '../store/number-writes.js';
import { formatSaid, pageSize } from '../store/pages.js';
import type { Missing, SnapshotSummary, StoredBody } from '../store/snapshot-writes.js';
import type { Snapshots } from '../store/snapshots.js';
import type { SourceRow, Sources } from '../store/sources.js';
import type { SuggestionFinds } from '../store/suggestion-finds.js';
import { type Plan, type PlannedChange, planSnapshot } from './diff.js';
import type { Fetched } from './fetch.js';
import { packed } from './packed.js';
import type { Playlist } from './read/entry.js';
import { readPlaylist } from './read/read.js';
import { type PlannedEntry, type PlanOptions, restageSnapshot } from './snapshot-rows.js';
import { suggestAfter } from './suggest-after.js';

/** What is to be imported: a body that was fetched, a kept one, or the list in service once more. */
export type ImportTask = {
  readonly source: number;
  readonly cause: RefreshCause;
  /** Epoch seconds. */
  readonly startedAt: number;
  readonly from: { readonly fetched: Fetched } | { readonly snapshot: number } | 'service';
  /** Whether a list that lacks much is quarantined. */
  readonly guarded: boolean;
  /** Whether nothing is to be changed. */
  readonly dryRun: boolean;
};

export type Outcome =
  | {
      readonly state: 'published';
      readonly summary: SnapshotSummary;
      /** Entries that another reader reads in another way. */
      readonly differences: number;
    }
  | { readonly state: 'quarantined'; readonly reason: string }
  | {
      readonly state: 'planned';
      readonly summary: SnapshotSummary;
      readonly objection: string | null;
      readonly changes: readonly EntryChange[];
    };

type Parts = {
  readonly snapshots: Snapshots;
  readonly sources: Sources;
  readonly listing: Listing;
  readonly finds: SuggestionFinds;
};

/** One import under way. */
type Import = { readonly store: Parts; readonly task: ImportTask; readonly inService: () => void };

/** Changes written in one transaction. */
const chunk = 250;
/** Pages on their way to the writer, so that neither side waits for the other. */
const inFlight = 4;
/** Changes of one refresh that are kept one by one, and of a dry run that are shown. */
const listedChanges = 10_000;
const shownChanges = 1000;
/** Bytes of a list, decompressed. */
export const maxBytes = 64 * 1024 * 1024;

/**
 * Reads, compares, stages and publishes a list. What should not be published is left out of service. Calls back when it is in
 * service: what is done after that changes nothing of what is published.
 */
export async function importList(store: Parts, task: ImportTask, inService: () => void): Promise<Outcome> {
  const { snapshots, sources } = store;
  const row = await sources.byId(task.source);
  if (row === null) throw new WeirError('not-found', 'The source was removed.');
  const options = {
    source: row.id,
    refresh: row.refreshes + 1,
    now: now(),
    rules: compileRules(await snapshots.rules()),
    includeVod: row.include_vod === 1,
    catchup: storedSetting(row.catchup),
  };
  if (task.from === 'service') return await restage({ store, task, inService }, row, options);
  const body = await bodyOf(snapshots, task);
  if (!task.dryRun) await sources.setState(row.id, 'validating');
  const list = await read(body.bytes, row);
  const previous = await snapshots.inService(row.id);
  const plan = planSnapshot(previous, list, options);
  const objection = list.refusal ?? (task.guarded ? plan.objection : null);
  if (task.dryRun) {
    const changes = [...take(plan.changes, shownChanges)];
    return { state: 'planned', summary: plan.summary, objection, changes };
  }
  if (objection !== null) {
    await quarantine(store, task, objection, list, plan.summary.changes, await body.stored());
    return { state: 'quarantined', reason: objection };
  }
  const isPublished = await publish({ store, task, inService }, plan, body.stored(), { row, rules: options.rules });
  if (!isPublished) return await importList(store, task, inService);
  return { state: 'published', summary: plan.summary, differences: list.differences };
}

type Body = { readonly bytes: Uint8Array; readonly stored: () => Promise<StoredBody> };

async function bodyOf(snapshots: Snapshots, { from, source }: ImportTask): Promise<Body> {
  if (from === 'service') throw new WeirError('internal', 'The list in service has no body to read.');
  if ('fetched' in from) {
    const { body, hash, etag, lastModified } = from.fetched;
    return { bytes: body, stored: async () => ({ body: await packed(body), hash, etag, lastModified }) };
  }
  const kept = await snapshots.bodyOf(source, from.snapshot);
  if (kept === null || kept.body === null) {
    throw new WeirError('not-found', 'The body of that snapshot is not kept any more. Choose another one.');
  }
  const stored = { body: kept.body, hash: kept.hash, etag: kept.etag, lastModified: kept.lastModified };
  return { bytes: kept.body, stored: () => Promise.resolve(stored) };
}

async function read(bytes: Uint8Array, row: SourceRow): Promise<Playlist> {
  const headers = JSON.parse(row.headers) as Record<string, string>;
  const base = row.kind === 'url' ? { base: row.location } : {};
  const encoding = row.encoding === null ? {} : { encoding: row.encoding };
  const agent = row.user_agent === null ? {} : { 'User-Agent': row.user_agent };
  return await readPlaylist(await decompress(bytes, { maxBytes }), {
    headers: { ...agent, ...headers },
    ...base,
    ...encoding,
  });
}

async function quarantine(
  { snapshots }: Parts,
  { source, cause, startedAt }: ImportTask,
  reason: string,
  list: Playlist,
  changes: Changes,
  stored: StoredBody,
): Promise<void> {
  // What is no list at all is not worth keeping: nobody could accept it.
  const kept = list.refusal === null ? stored : { ...stored, body: null };
  const entries = list.entries.length;
  await snapshots.quarantine({
    source,
    reason,
    stored: kept,
    entries,
    changes: list.refusal === null ? changes : {},
    cause,
    startedAt,
  });
}

/** False when a rule had to be given up: then it is to be done again without that one. */
async function publish(
  { store, task, inService }: Import,
  plan: Plan,
  stored: Promise<StoredBody>,
  { row, rules }: { readonly row: SourceRow; readonly rules: RuleSet },
): Promise<boolean> {
  const { snapshots, sources } = store;
  const { source, cause, startedAt } = task;
  await sources.setState(source, 'staging');
  const snapshot = await snapshots.begin(source, row.catchup);
  const entries = await stage(snapshots, source, snapshot, plan.rows);
  if (await gaveUp(snapshots, rules)) return false;
  const listed = await stageChanges(snapshots, snapshot, plan.changes, entries);
  await snapshots.publish({ source, snapshot, summary: plan.summary, stored: await stored, cause, startedAt, listed });
  inService();
  await suggestAfter(
    store,
    plan.suspects.map(({ entry, position, reason }) => ({ was: entry, is: entries[position] ?? 0, reason })),
  );
  await snapshots.prune();
  return true;
}

/** Switches off rules that took too long or failed on what the list holds. True when there were any. */
async function gaveUp(snapshots: Snapshots, { switchedOff }: RuleSet): Promise<boolean> {
  for (const { rule, reason } of switchedOff) await snapshots.switchOff(rule, reason);
  return switchedOff.length > 0;
}

async function restage({ store, task, inService }: Import, row: SourceRow, options: PlanOptions): Promise<Outcome> {
  const { snapshots } = store;
  const previous = await snapshots.inService(row.id);
  const kept = row.snapshot === null ? null : await snapshots.bodyOf(row.id, row.snapshot);
  const live = previous.filter(({ missing }) => missing === null);
  const channels = live.filter(({ said: { kind } }) => kind === 'live' || options.includeVod).length;
  const changes = { added: 0, removed: 0, returned: 0, renamed: 0, moved: 0, readdressed: 0, regrouped: 0, suspect: 0 };
  const counts = kept?.counts ?? { skipped: {}, kinds: {}, problems: {} };
  const summary = { entries: live.length, channels, ...counts, header: kept?.header ?? [], changes };
  if (kept === null) return { state: 'published', summary, differences: 0 };
  await forgetNumbers(store, options);
  const snapshot = await snapshots.begin(row.id, row.catchup);
  await stage(snapshots, row.id, snapshot, restageSnapshot(previous, options));
  if (await gaveUp(snapshots, options.rules)) return await importList(store, task, inService);
  const stored = { body: kept.body, hash: kept.hash, etag: kept.etag, lastModified: kept.lastModified };
  const { source, cause, startedAt } = task;
  await snapshots.publish({ source, snapshot, summary, stored, cause, startedAt, listed: 0 });
  inService();
  await snapshots.prune();
  return { state: 'published', summary, differences: 0 };
}

/** Numbers that the rules would not give any more are taken back. */
async function forgetNumbers({ listing, snapshots }: Parts, { source, rules }: PlanOptions): Promise<void> {
  const lost: number[] = [];
  for await (const page of listing.pages()) {
    const own = page.filter((one) => one.source === source && one.ruleNumber !== null);
    const ruled = rules.applyAll(
      source,
      own.map(({ said }) => said),
    );
    for (const [index, { channel, said, ruleNumber }] of own.entries()) {
      if (!keepsNumber(ruleNumber ?? '', ruled[index]?.numbering ?? null, said.number)) lost.push(channel);
    }
  }
  if (lost.length > 0) await snapshots.forgetNumbers({ channels: lost });
}

/** Resolves with the ids of the entries, by position. */
async function stage(
  snapshots: Snapshots,
  source: number,
  snapshot: number,
  rows: Iterable<PlannedEntry>,
): Promise<number[]> {
  const sent: Promise<number[]>[] = [];
  const wanting: Numbered[] = [];
  let page = 0;
  for (const next of inChunks(rows, pageSize)) {
    await sent[sent.length - inFlight];
    sent.push(snapshots.stage({ source, snapshot, page, ...pageOfRows(next) }));
    for (const [index, { numbering }] of next.entries())
      if (numbering !== null) wanting.push({ position: page * pageSize + index, numbering, providerNumber: null });
    page += 1;
  }
  const entries = (await Promise.all(sent)).flat();
  if (wanting.length > 0) await snapshots.number({ snapshot, wanting });
  return entries;
}

function pageOfRows(rows: readonly PlannedEntry[]) {
  const missing = new Map<number, Missing>();
  for (const [index, row] of rows.entries()) if (row.missing !== null) missing.set(index, row.missing);
  return {
    said: formatSaid(rows.map(({ said }) => said)),
    entries: rows.map(({ from }) => from),
    listed: rows.map(({ listed }) => listed),
    missing,
  };
}

/** Resolves with how many are kept. */
async function stageChanges(
  snapshots: Snapshots,
  snapshot: number,
  changes: Iterable<PlannedChange>,
  entries: readonly number[],
) {
  let first = 0;
  for (const next of inChunks(take(changes, listedChanges), chunk)) {
    const known = next.map(({ position, ...change }) => ({
      ...change,
      entry: change.entry ?? entries[position ?? -1] ?? null,
    }));
    await snapshots.stageChanges({ snapshot, first, changes: known });
    first += next.length;
  }
  return first;
}

function* take<T>(items: Iterable<T>, most: number): Generator<T> {
  let taken = 0;
  for (const item of items) {
    if (taken === most) return;
    taken += 1;
    yield item;
  }
}
