import assert from 'node:assert/strict';
import { test } from 'node:test';
import { by, look, publish, setUp } from './fixture.js';

const page = { after: null, limit: 100 };

test('a merged channel takes in the entries of the others behind its own, and answers for their keys', async (t) => {
  const { store, catalogue } = await setUp(t);
  const first = await publish(store, '/a.m3u', [{ name: 'One' }, { name: 'Two' }]);
  const second = await publish(store, '/b.m3u', [{ name: 'One HD' }]);
  const [one = 0, two = 0] = first.channels;
  const [hd = 0] = second.channels;
  const key = (await store.channels.byId(hd))?.key ?? '';
  await store.edits.editChannels({ ids: [hd] }, { name: 'kept' }, by);
  const { rows, change } = await store.edits.mergeChannels(one, [hd], by);
  assert.equal(rows, 3);
  assert.equal(change?.summary, 'merge channel 3 (kept) into channel 1 (One)');
  assert.deepEqual((await catalogue.channel(one))?.entries, [first.entries[0], second.entries[0]]);
  assert.deepEqual(
    (await store.channels.list()).map(({ id, name }) => [id, name]),
    [
      [one, 'One'],
      [two, 'Two'],
    ],
  );
  assert.equal((await store.channels.byKey(key))?.id, one);
  assert.equal(await catalogue.channel(hd), null);
});

test('when the best entry of a merged channel is gone from its list, the next one speaks for it', async (t) => {
  const { store, catalogue } = await setUp(t);
  const first = await publish(store, '/a.m3u', [{ name: 'One' }, { name: 'Two' }]);
  const second = await publish(store, '/b.m3u', [{ name: 'One HD' }]);
  const [one = 0, two = 0] = first.channels;
  await store.edits.mergeChannels(one, second.channels, by);
  await publish(store, '/a.m3u', [{ name: 'Two', entry: first.entries[1] ?? 0 }]);
  assert.deepEqual(
    (await store.channels.list()).map(({ id, name }) => [id, name]),
    [
      [two, 'Two'],
      [one, 'One HD'],
    ],
  );
  assert.equal((await catalogue.channel(one))?.source, second.source);
});

test('an entry that is split off gets back the channel that it was merged from, with its key and its edits', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels, entries } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
  const [a = 0, b = 0, c = 0] = channels;
  const key = (await store.channels.byId(b))?.key;
  await store.edits.editChannels({ ids: [b] }, { name: 'Beta' }, by);
  await store.edits.mergeChannels(b, [c], by);
  await store.edits.mergeChannels(a, [b], by);
  assert.deepEqual((await catalogue.channel(a))?.entries, entries);
  const split = await store.edits.splitEntry(a, entries[1] ?? 0, by);
  assert.equal(split.channel, b);
  assert.deepEqual((await catalogue.channel(a))?.entries, [entries[0], entries[2]]);
  const back = await store.channels.byId(b);
  assert.deepEqual([back?.key, back?.name], [key, 'Beta']);
  assert.equal((await store.edits.splitEntry(a, entries[2] ?? 0, by)).channel, c);
  assert.deepEqual(
    (await store.channels.list()).map(({ name }) => name),
    ['A', 'Beta', 'C'],
  );
});

test('an entry that never had a channel of its own gets a new one, whose key works on after an undo', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels, entries } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
  const [a = 0, b = 0, c = 0] = channels;
  await store.edits.mergeChannels(b, [c], by);
  await store.edits.mergeChannels(a, [b], by);
  assert.equal((await store.edits.splitEntry(a, entries[1] ?? 0, by)).channel, b);
  await store.edits.mergeChannels(b, [a], by);
  const split = await store.edits.splitEntry(b, entries[1] ?? 0, by);
  assert.ok(split.channel > c);
  const made = await store.channels.byId(split.channel);
  assert.equal(made?.name, 'B');
  await store.edits.undo(split.change?.id ?? 0, by);
  assert.deepEqual((await catalogue.channel(b))?.entries, [entries[1], entries[0], entries[2]]);
  assert.equal((await store.channels.byKey(made?.key ?? ''))?.id, b);
});

test('entries are ranked as they are named, and a ranking that leaves one out or doubles one is refused', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels, entries } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }]);
  const [a = 0, b = 0] = channels;
  const [first = 0, second = 0] = entries;
  await store.edits.mergeChannels(a, [b], by);
  await store.edits.rankEntries(a, [second, first], by);
  assert.deepEqual((await catalogue.channel(a))?.entries, [second, first]);
  assert.equal((await store.channels.byId(a))?.name, 'B');
  for (const wrong of [[first], [first, first], [first, second, 99]]) {
    await assert.rejects(store.edits.rankEntries(a, wrong, by), {
      code: 'invalid',
      message: 'Name each entry of channel 1 once: 2, 1.',
    });
  }
});

test('what cannot be merged or split is refused with a reason', async (t) => {
  const { store } = await setUp(t);
  const { channels, entries } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
  const [a = 0, b = 0, c = 0] = channels;
  const { edits } = store;
  await assert.rejects(edits.mergeChannels(a, [a], by), { code: 'invalid' });
  await assert.rejects(edits.mergeChannels(a, [99], by), { code: 'not-found' });
  await assert.rejects(edits.splitEntry(a, entries[0] ?? 0, by), { code: 'conflict', message: /is the only one/ });
  await assert.rejects(edits.splitEntry(a, entries[1] ?? 0, by), { code: 'not-found' });
  await edits.mergeChannels(a, [b], by);
  const merged = { code: 'conflict', message: 'Channel 2 was merged into channel 1. Use that one.' };
  await assert.rejects(edits.mergeChannels(b, [c], by), merged);
  await assert.rejects(edits.mergeChannels(c, [b], by), merged);
  await assert.rejects(edits.editChannels({ ids: [b] }, { name: 'x' }, by), merged);
  await assert.rejects(edits.mergeChannels(a, [c], { ...by, ifMatch: '1.1' }), { code: 'precondition-failed' });
});

test('a merged channel stands once in each line-up, at the first of their places, and split off it is kept out again', async (t) => {
  const { store } = await setUp(t);
  const { channels, entries } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
  const [a = 0, b = 0, c = 0] = channels;
  const item = (channel: number, order: number | null, number: string | null, excluded = false) => {
    return { channel, order, number, excluded };
  };
  const lineups = {
    moved: [[item(b, null, '5')], [item(a, null, '5')]],
    'own-first': [[item(a, 1, '1'), item(c, 2, '2')], [item(a, 1, '1')]],
    'other-first': [[item(c, 3, '3'), item(b, 7, null), item(a, 9, '9')], [item(a, 3, '3')]],
    unnumbered: [[item(b, 1, null), item(a, null, '4')], [item(a, 1, '4')]],
    unordered: [[item(a, null, '1'), item(b, null, '2')], [item(a, null, '1')]],
    'kept-out': [[item(b, 2, '2'), item(a, null, null, true)], [item(a, 2, '2')]],
    out: [[item(b, null, '9', true)], []],
  };
  const itemsOf = async (slug: string) => (await store.editReads.lineupItems(slug, page)).items;
  for (const [slug, [items = []]] of Object.entries(lineups)) {
    await store.edits.createLineup({ slug, name: slug, filter: null }, by);
    await store.edits.setLineupItems(slug, items, by);
    assert.deepEqual(await itemsOf(slug), items, slug);
  }
  const { change } = await store.edits.mergeChannels(a, [b, c], by);
  for (const [slug, [, merged]] of Object.entries(lineups)) assert.deepEqual(await itemsOf(slug), merged, slug);
  await store.edits.undo(change?.id ?? 0, by);
  for (const [slug, [items]] of Object.entries(lineups)) assert.deepEqual(await itemsOf(slug), items, slug);
  await store.edits.mergeChannels(a, [b, c], by);
  await store.edits.splitEntry(a, entries[1] ?? 0, by);
  assert.deepEqual(await itemsOf('out'), lineups.out[0]);
  assert.deepEqual(await itemsOf('moved'), lineups.moved[1]);
});

test('an accepted suggestion merges its channels and settles those that say the same', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels, entries } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
  const [a = 0, b = 0, c = 0] = channels;
  const find = (channel: number, other: number) => ({ kind: 'same-name' as const, channel, other, reason: 'why' });
  await store.finds.add([find(a, b), find(b, c), find(a, c)]);
  const open = async () => (await store.editReads.suggestions('open', page)).items.map(({ id }) => id);
  assert.deepEqual(await open(), [1, 2, 3]);
  const { change } = await store.edits.resolveSuggestion(1, 'accepted', by);
  assert.deepEqual(await open(), [2, 3]);
  // B is a part of A by now.
  await store.edits.resolveSuggestion(2, 'accepted', by);
  assert.deepEqual((await catalogue.channel(a))?.entries, entries);
  assert.deepEqual(await open(), []);
  assert.deepEqual(look(store.dir, 'SELECT state FROM suggestion WHERE id = 3'), [{ state: 'accepted' }]);
  await assert.rejects(store.edits.resolveSuggestion(1, 'rejected', by), { code: 'conflict' });
  await store.edits.undo(change?.id ?? 0, by);
  assert.deepEqual((await catalogue.channel(a))?.entries, [entries[0], entries[2]]);
  assert.deepEqual((await catalogue.channel(b))?.entries, [entries[1]]);
  assert.deepEqual(await open(), [1]);
});

test('a rejected suggestion is not made again, nor the other way round, and can be accepted later', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels, entries } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }]);
  const [channel = 0, other = 0] = channels;
  const found = { kind: 'same-guide-id' as const, channel, other, reason: 'why' };
  await store.finds.add([found]);
  await store.edits.resolveSuggestion(1, 'rejected', by);
  const turned = { ...found, channel: other, other: channel };
  for (const again of [found, turned]) {
    await store.finds.add([again]);
    await store.finds.replace([again]);
    assert.deepEqual((await store.editReads.suggestions('open', page)).items, []);
  }
  const [rejected] = (await store.editReads.suggestions('rejected', page)).items;
  assert.deepEqual([rejected?.id, rejected?.reason], [1, 'why']);
  await store.edits.resolveSuggestion(1, 'accepted', by);
  assert.deepEqual((await catalogue.channel(channel))?.entries, entries);
  await assert.rejects(store.edits.resolveSuggestion(7, 'rejected', by), { code: 'not-found' });
});

test('a pair that is found the other way round takes the place of the one before', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }]);
  const [a = 0, b = 0] = channels;
  const find = (channel: number, other: number) => ({ kind: 'same-name' as const, channel, other, reason: 'why' });
  await store.finds.replace([find(a, b)]);
  await store.finds.replace([find(b, a)]);
  const { items } = await store.editReads.suggestions('open', page);
  assert.deepEqual(
    items.map(({ channel, other }) => [channel, other]),
    [[b, a]],
  );
});
