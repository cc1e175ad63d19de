import { now } from '../lib/clock.js';
import type { SnapshotSummary, StagedEntry } from '../store/snapshot-writes.js';
import type { Snapshots } from '../store/snapshots.js';
import type { Sources } from '../store/sources.js';
import { planSnapshot } from './diff.js';
import type { Fetched } from './fetch.js';
import { readPlaylist } from './read/read.js';

export type Outcome =
  | { readonly state: 'published'; readonly summary: SnapshotSummary }
  | { readonly state: 'quarantined'; readonly reason: string };

/** Rows written in one transaction: other writes wait for about 20 ms at most. */
const chunk = 500;
/** Chunks on their way to the writer, so that neither side waits for the other. */
const inFlight = 4;

/** Reads, compares, stages and publishes a fetched list. What should not be published is left out of service. */
export async function importList(
  store: { readonly snapshots: Snapshots; readonly sources: Sources },
  source: number,
  { body, hash, etag, lastModified }: Fetched,
): Promise<Outcome> {
  const { snapshots, sources } = store;
  await sources.setState(source, 'validating');
  const list = readPlaylist(body);
  if (list.refusal !== null) return await quarantine(sources, source, list.refusal);
  const refresh = ((await sources.byId(source))?.refreshes ?? 0) + 1;
  const { rows, summary, objection } = planSnapshot(await snapshots.inService(source), list, refresh, now());
  if (objection !== null) return await quarantine(sources, source, objection);
  await sources.setState(source, 'staging');
  const snapshot = await snapshots.begin(source);
  await stage(snapshots, source, snapshot, rows);
  await snapshots.publish({ source, snapshot, summary, bodyHash: hash, etag, lastModified });
  await snapshots.prune();
  return { state: 'published', summary };
}

async function quarantine(sources: Sources, source: number, reason: string): Promise<Outcome> {
  await sources.setState(source, 'quarantined', reason);
  return { state: 'quarantined', reason };
}

async function stage(snapshots: Snapshots, source: number, snapshot: number, rows: Iterable<StagedEntry>) {
  const sent: Promise<void>[] = [];
  let next: StagedEntry[] = [];
  const send = async () => {
    await sent[sent.length - inFlight];
    sent.push(snapshots.stage(source, snapshot, next));
    next = [];
  };
  for (const row of rows) {
    next.push(row);
    if (next.length === chunk) await send();
  }
  await send();
  await Promise.all(sent);
}
