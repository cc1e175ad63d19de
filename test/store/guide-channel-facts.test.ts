import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingOf } from '../../src/model/archive.js';
import { by } from './fixture.js';
import { household } from './guide-household.js';

test('the matcher is told every name that a channel has, and guides how far its archive reaches', async (t) => {
  const { store, house, a, b, c } = await household(t, [
    { name: 'A', tvgId: 'a.de', groups: ['News'] },
    { name: 'B' },
    { name: 'C' },
  ]);
  await store.edits.editChannels({ ids: [a] }, { name: 'Eins', catchup: catchup(10) }, by);
  await store.edits.editChannels({ ids: [b] }, { catchup: catchup(null), guideShift: 3600 }, by);
  await store.edits.editChannels({ ids: [c] }, { hidden: true }, by);
  const told = [];
  for await (const part of house.matchChannels()) told.push(...part);
  assert.deepEqual(told[0], {
    channel: a,
    name: 'Eins',
    saidNames: ['A'],
    tvgId: 'a.de',
    groups: ['News'],
    radio: false,
  });
  assert.deepEqual(
    told.map(({ channel }) => channel),
    [a, b],
  );
  const receivers = house
    .receivers(null)
    .map(({ channel, name, days, guideShift }) => [channel, name, days, guideShift]);
  assert.deepEqual(receivers, [
    [a, 'Eins', 10, null],
    [b, 'B', 7, 3600],
  ]);
  assert.deepEqual(
    house.receiversOf([c, b, a, 999]).map(({ channel, guideShift }) => [channel, guideShift]),
    [
      [a, null],
      [b, 3600],
    ],
  );
  assert.deepEqual(
    house.receiversBehind(a, 5).map(({ name }) => name),
    ['B'],
  );
  assert.deepEqual(
    house.receiversBehind(0, 1).map(({ name }) => name),
    ['Eins'],
  );
  assert.throws(() => house.receivers('none'), { code: 'not-found' });
});

function catchup(days: number | null) {
  return settingOf({ mode: 'default', days });
}
