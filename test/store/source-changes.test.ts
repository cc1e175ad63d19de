import assert from 'node:assert/strict';
import { test } from 'node:test';
import { by, publish, setUp } from './fixture.js';

const page = { after: null, limit: 10 };

test('a change of a source shows neither credentials nor header fields, and is undone with them', async (t) => {
  const { store } = await setUp(t);
  const location = 'http://user:s3cret@host/list.m3u?token=s3cret';
  const source = await store.sources.add(
    { kind: 'url', location, headers: { Authorization: 's3cret' }, name: 'One' },
    by,
  );
  const moved = {
    location: 'http://user:t0p@host/list.m3u',
    headers: {},
    name: 'Two',
    proxy: 'http://u:s3cret@proxy:1',
  };
  await store.sources.update(source.id, moved, by);
  const [update, addition] = (await store.editReads.changes(page)).items;
  const change = await store.editReads.change(update?.id ?? 0);
  const shown = JSON.stringify([change, addition, await store.editReads.change(addition?.id ?? 0)]);
  assert.doesNotMatch(shown, /s3cret|t0p/);
  assert.match(shown, /"name":"Two"/);
  const { tables } = await store.edits.undo(update?.id ?? 0, by);
  assert.deepEqual(tables, ['source']);
  const row = await store.sources.byId(source.id);
  assert.deepEqual(
    [row?.location, row?.headers, row?.name, row?.proxy],
    [location, '{"Authorization":"s3cret"}', 'One', null],
  );
});

test('a source whose removal is undone serves its channels again', async (t) => {
  const { store } = await setUp(t);
  const { id } = await store.sources.add({ kind: 'file', location: '/a.m3u' }, by);
  await publish(store, '/b.m3u', [{ name: 'B' }]);
  const { source, channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  assert.equal(source, id);
  await store.sources.remove(id, by);
  assert.deepEqual(
    (await store.channels.list()).map(({ name }) => name),
    ['B'],
  );
  const [removal] = (await store.editReads.changes(page)).items;
  await store.edits.undo(removal?.id ?? 0, by);
  const listed = (await store.channels.list()).map(({ id, name }) => [id, name]);
  assert.deepEqual(
    listed.find(([, name]) => name === 'A'),
    [channels[0], 'A'],
  );
});

test('a source that was added is not taken away by an undo', async (t) => {
  const { store } = await setUp(t);
  const { id } = await store.sources.add({ kind: 'file', location: '/a.m3u' }, by);
  await assert.rejects(store.edits.undo(1, by), {
    code: 'conflict',
    message: 'Change 1 cannot be undone: it made source 1. Remove that instead.',
  });
  assert.equal((await store.sources.status(id))?.location, '/a.m3u');
});
