import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/open.js';
import { createWriter } from '../../src/store/writer.js';
import { contradictions, openCatalogue } from '../support/catalogue-check.js';
import { by, type Line, look, pagesOf, publish, setUp } from './fixture.js';

const lines = (count: number, name = 'Channel'): Line[] =>
  Array.from({ length: count }, (_, n) => ({ name: `${name} ${n}` }));
const all = { after: null, limit: 1000 };

type PageRow = { snapshot: number; page: number; version: number };
const versions = (dir: string) =>
  look<PageRow>(dir, 'SELECT snapshot, page, version FROM listing_page ORDER BY snapshot, page').map(
    (row) => row.version,
  );

/** What contradicts itself in the catalogue. */
function faults(dir: string): string[] {
  const raw = openCatalogue(dir);
  try {
    return contradictions(raw);
  } finally {
    raw.close();
  }
}

test('a change of channels is counted once for each page that has them, and for no other', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', lines(800));
  assert.deepEqual(versions(store.dir), [0, 0, 0, 0]);
  await store.edits.editChannels({ ids: channels.slice(249, 251) }, { name: 'Edited' }, by);
  assert.deepEqual(versions(store.dir), [1, 1, 0, 0]);
  const { change } = await store.edits.mergeChannels(channels[0] ?? 0, [channels[799] ?? 0], by);
  assert.deepEqual(versions(store.dir), [2, 1, 0, 1]);
  await store.edits.undo(change?.id ?? 0, by);
  assert.deepEqual(versions(store.dir), [3, 1, 0, 2]);
  assert.deepEqual(faults(store.dir), []);
});

test('an entry that leaves the playlist after its time is counted as a change of its page', async (t) => {
  const { store } = await setUp(t);
  const missing = { since: 0, refresh: 0, left: false };
  const { source } = await publish(store, '/a.m3u', [...lines(299), { name: 'Gone', missing }]);
  for (let refreshes = 0; refreshes < 3; refreshes += 1) await store.sources.confirm(source);
  assert.equal((await store.channels.list()).length, 300);
  assert.equal(await store.sources.expireMissing(), true);
  assert.equal((await store.channels.list()).length, 299);
  assert.deepEqual(versions(store.dir), [0, 1]);
  assert.deepEqual(faults(store.dir), []);
  assert.equal(await store.sources.expireMissing(), false);
});

test('a search finds what an edit says and what the provider says, on each page, in the order of the list', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', lines(700));
  const found = async (q: string) => (await catalogue.channels({ q }, all)).items.map(({ id }) => id);
  await store.edits.editChannels({ ids: [channels[650] ?? 0, channels[3] ?? 0] }, { name: 'Zoë Ω' }, by);
  await store.edits.editChannels({ ids: [channels[260] ?? 0] }, { number: '77.1', tvgId: 'zoe.id' }, by);
  assert.deepEqual(await found('ZOE'), [channels[3], channels[260], channels[650]]);
  assert.deepEqual(await found('zoe 650'), [channels[650]]);
  assert.deepEqual(await found('zoe channel ω 3'), [channels[3]]);
  assert.deepEqual(await found('77.1'), [channels[260]]);
  assert.deepEqual(await found('channelzoe'), [], 'a word stands in one of the names');
  assert.equal((await found('channel')).length, 700);
});

test('pages of a search follow one another without a gap, whatever else is asked for', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', lines(2300));
  await store.edits.editChannels({ ids: channels.filter((_, n) => n % 500 === 499) }, { hidden: true }, by);
  const found: number[] = [];
  let after: string | null = null;
  do {
    const { items, next }: Awaited<ReturnType<typeof catalogue.channels>> = await catalogue.channels(
      { q: 'channel', state: 'hidden' },
      { after, limit: 1 },
    );
    found.push(...items.map(({ id }) => id));
    after = next;
  } while (after !== null);
  assert.deepEqual(found, [channels[499], channels[999], channels[1499], channels[1999]]);
});

test('entries are found by name, kind, state and whether they are of a channel, page after page, and by id', async (t) => {
  const { store } = await setUp(t);
  const first = await publish(store, '/a.m3u', lines(600, 'One'));
  const second = await publish(store, '/b.m3u', [
    { name: 'Movie', kind: 'movie' },
    { name: 'Two 59', missing: { since: 5, refresh: 0, left: false } },
  ]);
  const names = async (filter: Parameters<typeof store.entries.page>[0]) =>
    (await store.entries.page(filter, all)).items.map(({ name }) => name);
  assert.equal((await names({})).length, 602);
  assert.deepEqual(await names({ q: 'oNE 59' }), ['One 59', ...Array.from({ length: 10 }, (_, n) => `One 59${n}`)]);
  assert.deepEqual(await names({ q: ' 59', source: second.source }), ['Two 59']);
  assert.deepEqual([await names({ kind: 'movie' }), await names({ assigned: false })], [['Movie'], ['Movie']]);
  assert.deepEqual([await names({ state: 'missing' }), await names({ state: 'left' })], [['Two 59'], []]);
  const seen: string[] = [];
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const { items, next }: Awaited<ReturnType<typeof store.entries.page>> = await store.entries.page(
      { q: 'one 5' },
      { after, limit: 7 },
    );
    seen.push(...items.map(({ name }) => name));
    after = next ?? undefined;
  }
  assert.deepEqual(seen, await names({ q: 'one 5' }));
  assert.equal((await store.entries.byId(first.entries[599] ?? 0))?.name, 'One 599');
  assert.deepEqual((await store.entries.byId(second.entries[0] ?? 0))?.kind, 'movie');
  assert.equal(await store.entries.byId(99_999), null);
});

test('entries that are gone through go on at their place when the list is refreshed meanwhile, and none comes twice', async (t) => {
  const { store } = await setUp(t);
  const first = await publish(store, '/a.m3u', lines(300, 'One'));
  await publish(store, '/b.m3u', lines(300, 'Two'));
  const seen: string[] = [];
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const { items, next }: Awaited<ReturnType<typeof store.entries.page>> = await store.entries.page(
      {},
      { after, limit: 70 },
    );
    seen.push(...items.map(({ name }) => name));
    const again = first.entries.map((entry, n) => ({ name: `One ${n}`, entry }));
    if (seen.length <= 280) await publish(store, '/a.m3u', again);
    after = next ?? undefined;
  }
  assert.deepEqual(
    seen,
    [...lines(300, 'One'), ...lines(300, 'Two')].map(({ name }) => name),
  );
});

const count = (dir: string, table: string) =>
  look<{ count: number }>(dir, `SELECT count(*) AS count FROM ${table}`)[0]?.count;
const tables = ['snapshot_page', 'listing_page', 'listing', 'missing_entry', 'entry', 'channel_entry'] as const;
const counts = (dir: string) => Object.fromEntries(tables.map((table) => [table, count(dir, table)]));

test('what is out of service is removed, but for entries that go on, and channels that were shown once', async (t) => {
  const { store } = await setUp(t);
  const { entries } = await publish(store, '/a.m3u', lines(600));
  const kept = entries.slice(100, 400);
  await publish(
    store,
    '/a.m3u',
    kept.map((entry, n) => ({ name: `Kept ${n}`, entry })),
  );
  await store.snapshots.prune();
  const left = { snapshot_page: 2, listing_page: 2, listing: 300, missing_entry: 0, entry: 300, channel_entry: 300 };
  assert.deepEqual(counts(store.dir), left);
  assert.equal(count(store.dir, 'channel'), 600);
  assert.deepEqual(
    look(store.dir, 'SELECT id FROM entry ORDER BY id'),
    kept.map((id) => ({ id })),
  );
});

test('a removal that was broken off after a page is brought to its end by the next one', async (t) => {
  const { store, dir } = await setUp(t);
  const { snapshot, entries } = await publish(store, '/a.m3u', lines(600));
  await publish(store, '/a.m3u', [{ name: 'Kept', entry: entries[599] ?? 0 }]);
  const writer = createWriter(store.connect());
  await writer.call('dropPage', { snapshot, page: 1, unused: entries.slice(250, 500) });
  await store.close();
  const again = await openStore({ dir });
  t.after(() => again.close());
  await again.snapshots.prune();
  const left = { snapshot_page: 1, listing_page: 1, listing: 1, missing_entry: 0, entry: 1, channel_entry: 1 };
  assert.deepEqual(counts(dir), left);
});

test('what never was in service is removed with its channels, and nothing is of what is in service', async (t) => {
  const { store, dir } = await setUp(t);
  const { source, snapshot, entries } = await publish(store, '/a.m3u', lines(300));
  const before = [counts(dir), count(dir, 'channel'), count(dir, 'snapshot')];
  const staged = await store.snapshots.begin(source);
  for (const page of pagesOf([...lines(400), { name: 'Kept', entry: entries[7] ?? 0 }], source, staged))
    await store.snapshots.stage(page);
  assert.equal(count(dir, 'channel'), 700);
  await createWriter(store.connect()).call('dropPage', { snapshot, page: 0, unused: entries });
  await store.snapshots.prune();
  assert.deepEqual([counts(dir), count(dir, 'channel'), count(dir, 'snapshot')], before);
  assert.deepEqual(faults(dir), []);
});
