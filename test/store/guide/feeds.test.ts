import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counts, ended, newYear, publish, type Said, setUp, stage } from './fixture.js';

const news: Said = { key: 'one', start: newYear, title: 'News' };

test('failures are counted with their reason until a guide is published, which stays in service meanwhile', async (t) => {
  const { store } = await setUp(t);
  const { snapshot } = await publish(store, 1, [news]);
  assert.equal(await store.feeds.fail({ ...ended(1), reason: 'The server answered 500.' }), 1);
  assert.equal(await store.feeds.fail({ ...ended(1), reason: 'The server answered 503.' }), 2);
  const failed = await store.feeds.byId(1);
  assert.deepEqual([failed?.state, failed?.reason, failed?.failures], ['failed', 'The server answered 503.', 2]);
  assert.equal(failed?.service?.snapshot, snapshot);
  await publish(store, 1, [news]);
  const feed = await store.feeds.byId(1);
  assert.deepEqual([feed?.state, feed?.reason, feed?.failures], ['published', null, 0]);
});

test('a source that fails before it had a guide has none in service', async (t) => {
  const { store } = await setUp(t);
  await store.feeds.fail({ ...ended(3), reason: 'It is empty.' });
  const feed = await store.feeds.byId(3);
  assert.deepEqual([feed?.service, feed?.waiting, feed?.state], [null, null, 'failed']);
});

test('a guide that is met again takes new validators, and what waited to be accepted waits no more', async (t) => {
  const { store } = await setUp(t);
  await publish(store, 1, [news]);
  const { snapshot } = await stage(store, 1, []);
  await store.stage.quarantine({ ...ended(1), snapshot, reason: 'It holds no programmes.', counts });
  await store.feeds.confirm(1);
  assert.equal((await store.feeds.byId(1))?.service?.body.etag, '"1"');
  await store.feeds.confirm(1, { etag: '"2"', lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' });
  const feed = await store.feeds.byId(1);
  assert.deepEqual([feed?.state, feed?.reason, feed?.waiting], ['published', null, null]);
  assert.deepEqual([feed?.service?.body.etag, feed?.service?.body.lastModified?.slice(0, 3)], ['"2"', 'Mon']);
});

test('refreshes are listed the newest first, in pages, of one source', async (t) => {
  const { store } = await setUp(t);
  for (const reason of ['a', 'b', 'c']) await store.feeds.fail({ ...ended(1), reason });
  await store.feeds.fail({ ...ended(2), reason: 'd' });
  const first = await store.feeds.refreshes(1, { after: null, limit: 2 });
  const second = await store.feeds.refreshes(1, { after: first.next, limit: 2 });
  assert.deepEqual(
    [first, second].map(({ items }) => items.map(({ reason }) => reason)),
    [['c', 'b'], ['a']],
  );
  assert.equal(second.next, null);
});

test('when a source is fetched next is kept', async (t) => {
  const { store } = await setUp(t);
  await store.feeds.plan(1, newYear);
  assert.equal((await store.feeds.byId(1))?.nextRefreshAt, newYear);
  await store.feeds.plan(1, null);
  assert.equal((await store.feeds.byId(1))?.nextRefreshAt, null);
});
