import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killAgainAndAgain } from '../support/kills.js';

test('kill -9 while lists, rules and 10,000 channels change: weir starts again, nothing is half done, what was answered is kept', async (t) => {
  const { killed, faults } = await killAgainAndAgain(t, { count: 8, seed: 1, say: (line) => t.diagnostic(line) });
  t.diagnostic(JSON.stringify(killed));
  assert.deepEqual(faults, []);
  assert.ok(killed.refreshes + killed.rules + killed.bigEdits > 0, 'nothing was under way at any of them');
});
