import assert from 'node:assert/strict';
import { test } from 'node:test';
import { by, look, publish, setUp } from './fixture.js';

const page = { after: null, limit: 100 };
const rule = {
  ...{ position: 2, enabled: true, source: null, match: { field: 'name' as const, pattern: ' HD$' } },
  action: { kind: 'rename' as const, replacement: '' },
};

test('rules are made, changed, listed in their order and removed', async (t) => {
  const { store } = await setUp(t);
  const { source } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  const { edits, editReads } = store;
  const first = await edits.createRule(rule, by);
  assert.deepEqual(first, { id: 1, version: 1, reason: null, ...rule });
  const number = { kind: 'number' as const, from: 100, to: null, keepProvider: true };
  const second = await edits.createRule({ ...rule, position: 1, source, action: number }, by);
  assert.deepEqual(
    (await editReads.rules()).map(({ id }) => id),
    [2, 1],
  );
  const changed = await edits.updateRule(1, { position: 0.5, action: number }, { ...by, ifMatch: '1' });
  assert.deepEqual(changed, { ...first, position: 0.5, action: number, version: 2 });
  assert.deepEqual(await editReads.rules(), [changed, second]);
  await edits.removeRule(2, by);
  assert.equal(await editReads.rule(2), null);
  const log = (await editReads.changes(page)).items.map(({ summary }) => summary);
  assert.deepEqual(log, ['remove rule 2', 'change rule 1', 'make a number rule', 'make a rename rule']);
});

test('a rule that does not exist, was changed meanwhile or is for an unknown source is refused', async (t) => {
  const { store } = await setUp(t);
  await store.edits.createRule(rule, by);
  await assert.rejects(store.edits.updateRule(9, { enabled: false }, by), { code: 'not-found' });
  await assert.rejects(store.edits.removeRule(1, { ...by, ifMatch: '2' }), { code: 'precondition-failed' });
  await assert.rejects(store.edits.createRule({ ...rule, source: 9 }, by), { code: 'invalid' });
  await assert.rejects(store.edits.updateRule(1, { source: 9 }, by), { code: 'invalid' });
  assert.deepEqual(await store.editReads.rules(), [{ id: 1, version: 1, reason: null, ...rule }]);
});

test('line-ups are made, changed and removed by their slugs', async (t) => {
  const { store } = await setUp(t);
  const { edits, editReads } = store;
  const kids = await edits.createLineup({ slug: 'kids', name: 'Kids', filter: { group: 'Kids', state: 'listed' } }, by);
  assert.deepEqual(await editReads.lineup('kids'), kids);
  const renamed = await edits.updateLineup('kids', { slug: 'the-kids-2', filter: null }, { ...by, ifMatch: '1' });
  assert.deepEqual(renamed, { ...kids, slug: 'the-kids-2', filter: null, version: 2 });
  assert.equal(await editReads.lineup('kids'), null);
  assert.deepEqual(await editReads.lineups(), [renamed]);
  await edits.removeLineup('the-kids-2', by);
  assert.deepEqual(await editReads.lineups(), []);
});

test('slugs that cannot stand in an address or are taken are refused', async (t) => {
  const { store } = await setUp(t);
  const make = (slug: string) => store.edits.createLineup({ slug, name: 'x', filter: null }, by);
  for (const slug of ['', 'Kids', 'a b', '-a', 'a-', 'a--b', 'a/b', '..', 'é', 'a'.repeat(65)]) {
    await assert.rejects(make(slug), { code: 'invalid' }, slug);
  }
  await make('a'.repeat(64));
  await make('7-kids');
  await assert.rejects(make('7-kids'), { code: 'conflict' });
  await assert.rejects(store.edits.updateLineup('7-kids', { slug: 'a'.repeat(64) }, by), { code: 'conflict' });
  await assert.rejects(store.edits.removeLineup('none', by), { code: 'not-found' });
});

test('items of a line-up are put in, changed and taken out, and come in their order a page at a time', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }, { name: 'C' }, { name: 'D' }]);
  const [a = 0, b = 0, c = 0, d = 0] = channels;
  await store.edits.createLineup({ slug: 'kids', name: 'Kids', filter: null }, by);
  const item = (channel: number, order: number | null, number: string | null = null, excluded = false) => {
    return { channel, order, number, excluded };
  };
  const items = [item(a, null, '7.10'), item(b, 2), item(c, 1), item(d, 2, null, true)];
  assert.equal((await store.edits.setLineupItems('kids', items, by)).rows, 4);
  assert.equal((await store.editReads.lineup('kids'))?.version, 2);
  const found = [];
  let after: string | null = null;
  do {
    const { items, next } = await store.editReads.lineupItems('kids', { after, limit: 1 });
    found.push(...items);
    after = next;
  } while (after !== null);
  assert.deepEqual(found, [items[2], items[1], items[3], items[0]]);
  const { rows } = await store.edits.setLineupItems(
    'kids',
    [{ channel: c, remove: true }, item(b, 3), item(a, null, '7.10')],
    by,
  );
  assert.equal(rows, 2);
  assert.deepEqual((await store.editReads.lineupItems('kids', page)).items, [
    item(d, 2, null, true),
    item(b, 3),
    items[0],
  ]);
  await assert.rejects(store.edits.setLineupItems('kids', [item(a, 9), item(99, 1)], by), { code: 'not-found' });
  await assert.rejects(store.edits.setLineupItems('kids', [item(a, 9)], { ...by, ifMatch: '2' }), {
    code: 'precondition-failed',
  });
  assert.equal(look(store.dir, 'SELECT 1 FROM lineup_item WHERE sort_order = 9').length, 0);
});

test('a rule that would hang on some names is refused', async (t) => {
  const { store } = await setUp(t);
  const match = { field: 'name' as const, pattern: '(a+)+$' };
  await assert.rejects(store.edits.createRule({ ...rule, match }, by), { code: 'invalid', message: /takes too long/ });
  await store.edits.createRule(rule, by);
  await assert.rejects(store.edits.updateRule(1, { match }, by), { code: 'invalid' });
  assert.deepEqual(
    (await store.editReads.rules()).map((one) => one.match),
    [rule.match],
  );
});
