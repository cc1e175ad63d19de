import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenLoads, plans } from '../../bench/plans.js';

test('without a word the loads of the budgets are measured, with all of them the further ones too', () => {
  assert.deepEqual([...chosenLoads(null, false)], ['8x40', '1x40', '1x400', 'stall', 'zap', 'first-byte', 'rest']);
  const all = chosenLoads(null, true);
  for (const { key } of plans) assert.ok(all.has(key), key);
  assert.equal(all.size, plans.length + 3);
});

test('named loads are measured alone, and a name that there is not is answered with those that there are', () => {
  assert.deepEqual([...chosenLoads(['5000', 'zap'], false)], ['5000', 'zap']);
  assert.throws(() => chosenLoads(['5000', '6000'], true), /^Error: There is no load "6000"\. There are: 8x40, .*zap/);
});
