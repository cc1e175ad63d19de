import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { inChunks } from '../../src/lib/chunks.js';
import { effective } from '../../src/model/effective.js';
import type { SaidEntry } from '../../src/model/entry.js';
import { compileRules } from '../../src/model/rules.js';
import { parseUpstreamUrl } from '../../src/model/upstream.js';
import { databaseFile } from '../../src/store/connection.js';
import { type ListedColumns, listedColumns, listedValues, saidOf } from '../../src/store/listing-writes.js';
import { openStore, type Store } from '../../src/store/open.js';
import { formatSaid, pageSize } from '../../src/store/pages.js';
import type { Missing, StagedPage } from '../../src/store/snapshot-writes.js';
import { tempDir } from '../support/temp.js';

/** What a list says of a channel; by default it is multicast, in no group and without a logo. */
export type Line = {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly number?: string;
  readonly logo?: string;
  readonly tvgId?: string;
  /** One that the relay cannot receive has another scheme than udp. */
  readonly url?: string;
  /** The entry that it continues. */
  readonly entry?: number;
  /** A movie is no channel. */
  readonly kind?: 'live' | 'movie';
  readonly missing?: Missing;
};

export const by = { actor: { key: null, name: 'anna' } };

export async function setUp(t: TestContext) {
  const dir = tempDir(t);
  const store = await openStore({ dir });
  t.after(() => store.close());
  return { store, dir, catalogue: store.catalogue };
}

/** The source of a location: one that is given, unless there is one already. Resolves with its id. */
async function sourceOf(store: Store, location: string): Promise<number> {
  const sources = await store.sources.list();
  const known = sources.find((source) => source.location === location);
  if (known !== undefined) return known.id;
  const given = [...sources.filter((source) => source.given).map((source) => source.location), location];
  const ids = await store.sources.give(
    given.map((one) => ({ location: one, interface: null, membership_refresh: null })),
  );
  return ids.at(-1) ?? 0;
}

/** Puts a list in service as an import does. Resolves with the ids of its entries and channels, in its order. */
export async function publish(
  store: Store,
  location: string,
  lines: readonly Line[],
  header: readonly (readonly [string, string])[] = [],
) {
  const source = await sourceOf(store, location);
  const snapshot = await store.snapshots.begin(source);
  const entries: number[] = [];
  for (const page of pagesOf(lines, source, snapshot)) entries.push(...(await store.snapshots.stage(page)));
  const changes = { added: 0, removed: 0, returned: 0, renamed: 0, moved: 0, readdressed: 0, regrouped: 0, suspect: 0 };
  const summary = {
    entries: lines.length,
    channels: lines.length,
    skipped: {},
    kinds: {},
    problems: {},
    header,
    changes,
  };
  const stored = { body: null, hash: null, etag: null, lastModified: null };
  await store.snapshots.publish({ source, snapshot, summary, stored, cause: 'user', startedAt: 0, listed: 0 });
  const owners = look<{ entry: number; channel: number }>(store.dir, 'SELECT entry, channel FROM channel_entry');
  const channelOf = new Map(owners.map(({ entry, channel }) => [entry, channel]));
  return { source, snapshot, entries, channels: entries.map((entry) => channelOf.get(entry) ?? 0) };
}

/** The pages that a list is staged by. */
export function* pagesOf(lines: readonly Line[], source: number, snapshot: number): Generator<StagedPage> {
  for (const [page, some] of [...inChunks(lines, pageSize)].entries()) {
    const said = some.map((line, index) => saidBy(line, page * pageSize + index));
    const missing = new Map<number, Missing>(
      some.flatMap((line, index) => (line.missing === undefined ? [] : [[index, line.missing]])),
    );
    const entries = some.map(({ entry }) => entry ?? null);
    const listed = said.map((entry) => shownOf(entry, source));
    yield { source, snapshot, page, said: formatSaid(said), entries, listed, missing };
  }
}

/** Rows of the database as it stands. */
export function look<Row>(dir: string, sql: string): Row[] {
  const raw = new Database(databaseFile(dir), { readonly: true });
  try {
    return raw.prepare(sql).all() as Row[];
  } finally {
    raw.close();
  }
}

function saidBy(line: Line, position: number): SaidEntry {
  const { name, groups = [], number = null, logo = null, tvgId = null, kind = 'live' } = line;
  const url = line.url ?? `udp://239.1.${position >> 8}.${position & 255}:1234`;
  return {
    ...{ line: position + 2, kind, name, tvgId, groups, tvgName: null, number, logo, radio: false },
    ...{ guideShift: null, urls: [{ url, label: null, headers: {} }], headers: {} },
    ...{ catchup: null, attributes: [], directives: [] },
  };
}

function shownOf(entry: SaidEntry, source: number): ListedColumns | null {
  if (entry.kind !== 'live') return null;
  const said = saidOf(entry);
  const shown = effective(said, compileRules([]).apply(source, said), null, null);
  const parsed = parseUpstreamUrl(said.url);
  const upstream = parsed !== null && 'upstream' in parsed ? JSON.stringify(parsed.upstream) : null;
  return listedColumns(listedValues(entry, shown), { url: said.url, upstream, archive: null });
}
