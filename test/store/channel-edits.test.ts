import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingOf } from '../../src/model/archive.js';
import { by, look, publish, setUp } from './fixture.js';

const none = {
  ...{ name: null, number: null, logo: null, groups: null, tvgId: null, guideShift: null },
  ...{ hidden: null, order: null, catchup: null, hints: null },
};

test('every field that is set on a channel is shown at once, and null follows the provider again', async (t) => {
  const { store, catalogue } = await setUp(t);
  const line = { name: 'BBC 1', number: '7', groups: ['UK'], logo: 'http://logo/1', tvgId: 'bbc1' };
  const { channels } = await publish(store, '/a.m3u', [line]);
  const [id = 0] = channels;
  const catchup = settingOf({ mode: 'append', source: '?utc={utc}', days: 7 });
  const set = {
    ...{ name: 'BBC One', number: '7.10', logo: 'http://logo/2', groups: ['UK', 'News'], tvgId: 'bbc.one' },
    ...{ guideShift: 3600, hidden: false, order: 2.5, catchup, hints: { kodi: ['#KODIPROP:a=b'] } },
  };
  const { change, rows } = await store.edits.editChannels({ ids: [id] }, set, by);
  assert.equal(rows, 1);
  assert.equal(change?.actor, 'anna');
  assert.equal(
    change?.summary,
    'set name, number, logo, groups, tvgId, guideShift, hidden, order, catchup, hints of channel 1 (BBC 1)',
  );
  const shown = await catalogue.channel(id);
  assert.deepEqual(shown?.override, set);
  assert.deepEqual([shown?.name, shown?.number, shown?.logo], ['BBC One', '7.10', 'http://logo/2']);
  assert.deepEqual([shown?.groups, shown?.tvgId, shown?.guideShift], [['UK', 'News'], 'bbc.one', 3600]);
  assert.deepEqual((await store.channels.byId(id))?.extras?.hints, { kodi: ['#KODIPROP:a=b'] });

  await store.edits.editChannels({ ids: [id] }, none, by);
  const followed = await catalogue.channel(id);
  assert.deepEqual(followed?.override, none);
  assert.deepEqual([followed?.name, followed?.number, followed?.groups], ['BBC 1', '7', ['UK']]);
  assert.deepEqual(look(store.dir, 'SELECT * FROM channel_override'), []);
});

test('what a patch does not name stays as it was set before', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  const [id = 0] = channels;
  await store.edits.editChannels({ ids: [id] }, { name: 'Alpha', number: '1' }, by);
  await store.edits.editChannels({ ids: [id] }, { number: null, hidden: true }, by);
  const override = (await catalogue.channel(id))?.override;
  assert.deepEqual(override, { ...none, name: 'Alpha', hidden: true });
});

test('an edit that changes nothing is no change and keeps the ETag', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  await store.edits.editChannels({ ids: channels }, { name: 'B' }, by);
  const before = await catalogue.channel(channels[0] ?? 0);
  const generation = await store.channels.generation();
  assert.deepEqual(await store.edits.editChannels({ ids: channels }, { name: 'B', logo: null }, by), {
    change: null,
    rows: 0,
  });
  assert.deepEqual(await catalogue.channel(channels[0] ?? 0), before);
  assert.equal(await store.channels.generation(), generation);
});

test('an edit with the ETag that stands there is done, one with an older ETag is refused and changes nothing', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  const [id = 0] = channels;
  const etag = (await catalogue.channel(id))?.etag ?? '';
  await store.edits.editChannels({ ids: [id] }, { name: 'B' }, { ...by, ifMatch: etag });
  const again = store.edits.editChannels({ ids: [id] }, { name: 'C' }, { ...by, ifMatch: etag });
  await assert.rejects(again, { code: 'precondition-failed', message: /^Channel 1 was changed by somebody else/ });
  assert.equal((await catalogue.channel(id))?.name, 'B');
});

test('of two edits with the same ETag at once exactly one is done', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  const etag = (await catalogue.channel(channels[0] ?? 0))?.etag ?? '';
  const edits = ['B', 'C'].map((name) =>
    store.edits.editChannels({ ids: channels }, { name }, { ...by, ifMatch: etag }),
  );
  const done = await Promise.allSettled(edits);
  assert.deepEqual(
    done.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
});

test('an edit of a channel that does not exist changes none of the others', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  const edit = store.edits.editChannels({ ids: [...channels, 99] }, { name: 'B' }, by);
  await assert.rejects(edit, { code: 'not-found', message: 'There is no channel 99.' });
  assert.equal((await catalogue.channel(channels[0] ?? 0))?.name, 'A');
  assert.deepEqual((await store.editReads.changes({ after: null, limit: 10 })).items, []);
});

test('an ETag with several channels is refused', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }]);
  const edit = store.edits.editChannels({ ids: channels }, { hidden: true }, { ...by, ifMatch: '1.1' });
  await assert.rejects(edit, { code: 'invalid' });
});

test('an edit by filter takes exactly the channels that the filter finds', async (t) => {
  const { store, catalogue } = await setUp(t);
  const first = await publish(store, '/a.m3u', [
    { name: '央视一套', groups: ['央视', 'HD'] },
    { name: 'BBC Two', groups: ['UK'], number: '102', tvgId: 'bbc2.uk' },
    { name: 'Relayed', url: 'http://host/live.m3u8', groups: ['a"UK"b', ','] },
  ]);
  const second = await publish(store, '/b.m3u', [{ name: 'BBC Three', groups: ['UK', 'HD'] }]);
  const [cctv, two, relayed] = first.channels;
  const [three] = second.channels;
  const found = async (filter: Parameters<typeof catalogue.channels>[0]) => {
    const { items } = await catalogue.channels(filter, { after: null, limit: 10 });
    const { rows } = await store.edits.editChannels({ filter }, { order: 1 }, { ...by, dryRun: true });
    assert.equal(rows, items.length);
    return items.map(({ id }) => id);
  };
  assert.deepEqual(await found({}), [cctv, two, relayed, three]);
  assert.deepEqual(await found({ q: '央视' }), [cctv]);
  assert.deepEqual(await found({ q: 'two BBC' }), [two]);
  assert.deepEqual(await found({ q: '102' }), [two]);
  assert.deepEqual(await found({ q: "'; DROP TABLE channel" }), []);
  assert.deepEqual(await found({ group: 'UK' }), [two, three]);
  assert.deepEqual(await found({ group: ',' }), [relayed]);
  assert.deepEqual(await found({ group: 'uk' }), []);
  assert.deepEqual(await found({ group: 'HD', source: second.source }), [three]);
  assert.deepEqual(await found({ state: 'unplayable' }), [relayed]);
  await store.edits.editChannels({ filter: { group: 'UK', q: 'three' } }, { hidden: true }, by);
  assert.deepEqual(await found({ state: 'hidden' }), [three]);
  assert.deepEqual(await found({ state: 'listed' }), [cctv, two]);
  assert.deepEqual(await found({ state: 'missing' }), []);
});

test('a dry run tells how many channels an edit would change, and changes nothing', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }, { name: 'C' }]);
  await store.edits.editChannels({ ids: channels.slice(0, 1) }, { hidden: true }, by);
  const before = look(store.dir, 'SELECT * FROM shown_channel, catalogue, change');
  const tried = await store.edits.editChannels({ filter: {} }, { hidden: true }, { ...by, dryRun: true });
  assert.deepEqual(tried, { change: null, rows: 2 });
  assert.deepEqual(look(store.dir, 'SELECT * FROM shown_channel, catalogue, change'), before);
});

test('edits stay with their channels through a new snapshot of the list', async (t) => {
  const { store } = await setUp(t);
  const { channels, entries } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }]);
  await store.edits.editChannels({ ids: channels.slice(1) }, { name: 'Beta', order: 1 }, by);
  const [a = 0, b = 0] = entries;
  await publish(store, '/a.m3u', [
    { name: 'A2', entry: a },
    { name: 'B2', entry: b },
  ]);
  assert.deepEqual(
    (await store.channels.list()).map(({ name }) => name),
    ['Beta', 'A2'],
  );
});
