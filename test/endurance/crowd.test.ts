import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBench } from '../support/bench.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';

const skip = privateNetwork() || needs('ip');

test('connections that say nothing, that dawdle and that never read harm nobody and are gone when their time is up', {
  skip,
}, () => {
  const { code, out, err } = runBench('crowd', '--each', '100');
  assert.equal(code, 0, out + err);
  const overs = [...out.matchAll(/^(.*): (\d+) of \2 over after /gm)].map(([, name]) => name);
  assert.equal(overs.length, 5, out);
});
