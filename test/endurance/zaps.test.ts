import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBench } from '../support/bench.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';

const skip = privateNetwork() || needs('ip', 'ffmpeg');

test('zaps among eight open channels: the first picture decodes without a complaint and is that of the channel', {
  skip,
}, () => {
  const { code, out, err } = runBench('zaps', '--count', '24');
  assert.equal(code, 0, out + err);
  assert.match(out, /^24 zaps among 8 channels: 0 failed$/m);
});
