import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOf, day, hour, look, newYear, publish, type Said, setUp, shown, stage } from './fixture.js';

const at = (days: number, title: string, key = 'one'): Said => {
  return { key, start: newYear + days * day, stop: newYear + days * day + hour, title };
};
const week = [0, 1, 2, 3, 4, 5, 6].map((days) => at(days, `Day ${days}`));

test('past days are kept as long as the channel asks, and the texts of those before go', async (t) => {
  const { store, dir } = await setUp(t);
  const { channels } = await publish(store, 1, week);
  await store.prune(new Map(channels.map((channel) => [channel, 2 * day])), newYear + 5 * day);
  assert.deepEqual(shown(store, channels), ['Day 3', 'Day 4', 'Day 5', 'Day 6']);
  assert.deepEqual([countOf(dir, 'programme'), countOf(dir, 'text'), countOf(dir, 'title')], [4, 4, 4]);
});

test('a programme without a stop is kept for a day after its start', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, 1, [{ key: 'one', start: newYear, title: 'Open' }]);
  const keep = new Map(channels.map((channel) => [channel, hour]));
  await store.prune(keep, newYear + day + hour);
  assert.deepEqual(shown(store, channels), ['Open']);
  await store.prune(keep, newYear + day + hour + 1);
  assert.deepEqual(shown(store, channels), []);
});

test('a text stays while another channel has it', async (t) => {
  const { store, dir } = await setUp(t);
  const { channels } = await publish(store, 1, [at(0, 'News'), at(9, 'News', 'two')]);
  await store.prune(new Map(channels.map((channel) => [channel, day])), newYear + 8 * day);
  assert.deepEqual(shown(store, channels), ['News']);
  assert.equal(countOf(dir, 'text'), 1);
});

test('channels that nobody is linked to lose their programmes, and are read again once they are wanted', async (t) => {
  const { store, dir } = await setUp(t);
  const { channels } = await publish(store, 1, [at(0, 'News'), at(0, 'Film', 'two')]);
  await store.prune(new Map([[channels[0] ?? 0, day]]), newYear);
  assert.deepEqual(shown(store, channels), ['News']);
  assert.deepEqual(store.channels.kept(1), [channels[0]]);
  assert.deepEqual(
    [...store.channels.facts(1)].map(({ guideId }) => guideId),
    ['one', 'two'],
  );
  assert.equal(countOf(dir, 'programme'), 1);
});

test('what a pass removed is deleted once it is out of service', async (t) => {
  const { store, dir } = await setUp(t);
  await publish(store, 1, week);
  const { channels } = await publish(store, 1, week.slice(3));
  assert.equal(countOf(dir, 'programme'), 7);
  await store.prune(new Map(channels.map((channel) => [channel, 30 * day])), newYear);
  assert.deepEqual([countOf(dir, 'programme'), countOf(dir, 'text'), countOf(dir, 'snapshot')], [4, 4, 1]);
  assert.equal(countOf(dir, 'listed_channel'), 1);
});

test('while a pass is under way nothing is pruned', async (t) => {
  const { store, dir } = await setUp(t);
  const { channels } = await publish(store, 1, week);
  await stage(store, 1, week.slice(3));
  await store.prune(new Map(), newYear + 30 * day);
  assert.deepEqual(shown(store, channels).length, 7);
  assert.equal(countOf(dir, 'programme WHERE removed IS NOT NULL'), 3);
});

test('a source that is forgotten shows nothing and leaves nothing, and others stay', async (t) => {
  const { store, dir } = await setUp(t);
  const gone = await publish(store, 1, week);
  const { channels } = await publish(store, 2, [at(0, 'Film')]);
  const before = store.generation();
  await store.feeds.forget(1);
  assert.equal(store.generation(), before + 1);
  assert.deepEqual([shown(store, gone.channels), shown(store, channels)], [[], ['Film']]);
  assert.equal(await store.feeds.byId(1), null);
  const left = ['programme', 'text', 'title', 'guide_channel', 'listed_channel', 'snapshot', 'feed_refresh'];
  assert.deepEqual(
    left.map((table) => countOf(dir, table)),
    [1, 1, 1, 1, 1, 1, 1],
  );
});

test('a source that is forgotten in the middle of a pass stays forgotten', async (t) => {
  const { store, dir } = await setUp(t);
  const { snapshot, channels } = await stage(store, 1, week);
  await store.feeds.forget(1);
  const counts = { channels: 0, programmes: 0, first: null, last: null, wanted: 0, unchanged: 0, reused: 0 };
  const nothing = { parsed: 0, removed: 0, lost: 0, problems: {} };
  const ended = { source: 1, cause: 'user', startedAt: newYear, kept: channels, manner: '1' } as const;
  await assert.rejects(store.stage.publish({ ...ended, snapshot, counts: { ...counts, ...nothing } }), {
    code: 'conflict',
  });
  assert.deepEqual(look(dir, 'SELECT * FROM programme UNION ALL SELECT id, 0, 0, 0, 0, 0, 0 FROM text'), []);
  assert.equal(await store.feeds.byId(1), null);
});
