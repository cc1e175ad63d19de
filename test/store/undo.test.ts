import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditReads as ApiEditReads, Edits as ApiEdits } from '../../src/api/catalogue.js';
import { by, look, publish, setUp } from './fixture.js';

const page = { after: null, limit: 100 };

/** Everything that users own, and what is shown of it; versions only ever grow. */
function owned(dir: string) {
  const all = (table: string) =>
    look<Record<string, unknown>>(dir, `SELECT * FROM ${table}`).map(({ version, ...row }) => row);
  const tables = ['channel', 'channel_override', 'channel_entry', 'rule', 'lineup', 'lineup_item', 'suggestion'];
  return Object.fromEntries([...tables, 'listing', 'shown_channel'].map((table) => [table, all(table)]));
}

test('each kind of change is undone to exactly what stood before, and the undo to what stood after', async (t) => {
  const { store } = await setUp(t);
  const { edits } = store;
  const { channels, entries } = await publish(store, '/a.m3u', [
    { name: 'A' },
    { name: 'B' },
    { name: 'C' },
    { name: 'D' },
  ]);
  const [a = 0, b = 0, c = 0, d = 0] = channels;
  const [ea = 0, eb = 0] = entries;
  const rule = {
    ...{ position: 1, enabled: true, source: null, match: { field: 'name' as const, pattern: 'x' } },
    action: { kind: 'rename' as const, replacement: 'y' },
  };
  await store.finds.add([{ kind: 'same-name', channel: c, other: d, reason: 'why' }]);
  await edits.editChannels({ ids: [a] }, { name: 'Alpha', order: 0.1 }, by);
  const steps: readonly (() => Promise<unknown>)[] = [
    () => edits.editChannels({ filter: {} }, { name: null, hidden: true, groups: ['x'] }, by),
    () => edits.editChannels({ ids: [a] }, { order: null, hidden: null, groups: null }, by),
    () => edits.createLineup({ slug: 'kids', name: 'Kids', filter: { q: 'a' } }, by),
    () => edits.setLineupItems('kids', [{ channel: b, order: 1.5, number: '7.10', excluded: false }], by),
    () => edits.mergeChannels(a, [b], by),
    () => edits.rankEntries(a, [eb, ea], by),
    () => edits.splitEntry(a, eb, by),
    () => edits.updateLineup('kids', { slug: 'children', filter: null }, by),
    () => edits.createRule(rule, by),
    () => edits.updateRule(1, { enabled: false }, by),
    () => edits.resolveSuggestion(1, 'accepted', by),
    () => edits.removeRule(1, by),
    () => edits.removeLineup('children', by),
  ];
  const states = [owned(store.dir)];
  for (const step of steps) {
    await step();
    states.push(owned(store.dir));
  }
  const [newest] = (await store.editReads.changes(page)).items;
  const last = newest?.id ?? 0;
  for (let step = steps.length; step > 0; step -= 1) {
    const change = last - steps.length + step;
    const { change: undo } = await edits.undo(change, by);
    assert.deepEqual(owned(store.dir), states[step - 1], `undo of step ${step}`);
    await edits.undo(undo?.id ?? 0, by);
    assert.deepEqual(owned(store.dir), states[step], `undo of the undo of step ${step}`);
    assert.equal((await store.editReads.change(change))?.undoneBy, null);
    await edits.undo(change, by);
    assert.deepEqual(owned(store.dir), states[step - 1], `second undo of step ${step}`);
  }
});

test('an undo of what was changed since is refused, names it, and changes nothing', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }, { name: 'B' }]);
  const first = await store.edits.editChannels({ ids: channels }, { number: '1' }, by);
  const later = await store.edits.editChannels({ ids: channels.slice(1) }, { name: 'Beta' }, by);
  const before = owned(store.dir);
  await assert.rejects(store.edits.undo(first.change?.id ?? 0, by), {
    code: 'conflict',
    message: 'Change 1 cannot be undone: what is set on channel 2 was changed since. Undo the later changes first.',
  });
  assert.deepEqual(owned(store.dir), before);
  await store.edits.undo(later.change?.id ?? 0, by);
  const { tables } = await store.edits.undo(first.change?.id ?? 0, by);
  assert.deepEqual(tables, ['channel_override']);
  assert.deepEqual(look(store.dir, 'SELECT * FROM channel_override'), []);
});

test('a change is undone once; it can be undone again after its undo was undone', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  await store.edits.editChannels({ ids: channels }, { number: '1' }, by);
  await store.edits.undo(1, by);
  await assert.rejects(store.edits.undo(1, by), {
    code: 'conflict',
    message: 'Change 1 was undone by change 2. Undo that one to have it again.',
  });
  await assert.rejects(store.edits.undo(99, by), { code: 'not-found' });
});

test('a line-up that got channels since it was made stays when that is undone', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  await store.edits.createLineup({ slug: 'kids', name: 'Kids', filter: null }, by);
  const items = channels.map((channel) => ({ channel, order: null, number: null, excluded: false }));
  await store.edits.setLineupItems('kids', items, by);
  await assert.rejects(store.edits.undo(1, by), { code: 'conflict', message: /line-up kids got channels since/ });
  assert.equal((await store.editReads.lineupItems('kids', page)).items.length, 1);
});

test('an undo that would give a slug twice is refused', async (t) => {
  const { store } = await setUp(t);
  await store.edits.createLineup({ slug: 'kids', name: 'Kids', filter: null }, by);
  await store.edits.updateLineup('kids', { slug: 'family' }, by);
  await store.edits.createLineup({ slug: 'kids', name: 'Other', filter: null }, by);
  await assert.rejects(store.edits.undo(2, by), { code: 'conflict', message: /its name is taken since/ });
});

test('an ETag of before an undo is never valid again', async (t) => {
  const { store, catalogue } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  const [id = 0] = channels;
  const made = await store.edits.createLineup({ slug: 'kids', name: 'Kids', filter: null }, by);
  const before = (await catalogue.channel(id))?.etag ?? '';
  const { change } = await store.edits.editChannels({ ids: [id] }, { number: '1' }, by);
  await store.edits.undo(change?.id ?? 0, by);
  const edit = store.edits.editChannels({ ids: [id] }, { number: '2' }, { ...by, ifMatch: before });
  await assert.rejects(edit, { code: 'precondition-failed' });
  await store.edits.removeLineup('kids', by);
  const [removal] = (await store.editReads.changes(page)).items;
  await store.edits.undo(removal?.id ?? 0, by);
  const rename = store.edits.updateLineup('kids', { name: 'x' }, { ...by, ifMatch: String(made.version) });
  await assert.rejects(rename, { code: 'precondition-failed' });
});

test('the change log tells who did what, the newest first, with rows before and after', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  const told: string[] = [];
  const end = store.edits.on(({ summary }) => told.push(summary));
  await store.edits.editChannels({ ids: channels }, { number: '1' }, { actor: { key: 4, name: 'ben' } });
  await store.edits.editChannels({ ids: channels }, { number: null }, by);
  end();
  await store.edits.undo(2, by);
  assert.deepEqual(told, ['set number of channel 1 (A)', 'reset number of channel 1 (A)']);
  const first = await store.editReads.changes({ after: null, limit: 2 });
  assert.deepEqual(
    first.items.map(({ id, actor, undoneBy }) => [id, actor, undoneBy]),
    [
      [3, 'anna', null],
      [2, 'anna', 3],
    ],
  );
  const rest = await store.editReads.changes({ after: first.next, limit: 2 });
  assert.deepEqual(
    rest.items.map(({ id, actor }) => [id, actor]),
    [[1, 'ben']],
  );
  assert.equal(rest.next, null);
  const detail = await store.editReads.change(1);
  const after = { channel: 1, name: null, logo: null, tvg_id: null, groups: null, hidden: null, number: '1' };
  const unset = { guide_shift: null, sort_order: null, catchup: null, hints: null };
  assert.deepEqual(detail?.items, [{ table: 'channel_override', before: null, after: { ...after, ...unset } }]);
  assert.equal(await store.editReads.change(99), null);
});

test('the store is what the API asks for', async (t) => {
  const { store } = await setUp(t);
  const edits: ApiEdits = store.edits;
  const reads: Omit<ApiEditReads, 'jobs' | 'job'> = store.editReads;
  assert.deepEqual(await reads.rules(), []);
  await assert.rejects(edits.undo(1, by), { code: 'not-found' });
});
