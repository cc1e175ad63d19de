import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBench } from '../support/bench.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';

const skip = privateNetwork() || needs('compiler', 'ip');

test('eight channels with viewers that stay, come and go while Node is restarted: nobody misses a packet', {
  skip,
}, () => {
  const { code, out, err } = runBench('soak', '--seconds', '20', '--restart-every', '6', '--mbps', '5');
  assert.equal(code, 0, out + err);
  assert.match(out, /^Delivered to those that stayed: 100 % of [1-9]/m);
  assert.match(out, / · [1-9]\d* visits: 0 faults, 0 by the machine, .* · [23] restarts · /);
  assert.match(out, /^Result: passed$/m);
});
