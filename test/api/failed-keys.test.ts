import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailedKeys } from '../../src/api/middleware/failed-keys.js';

test('a minute after its first failure a peer may try again', () => {
  let time = 0;
  const failed = new FailedKeys(() => time);
  for (let times = 0; times < 10; times += 1) {
    failed.check('192.0.2.1');
    failed.add('192.0.2.1');
    time += 1000;
  }
  assert.throws(() => failed.check('192.0.2.1'), { code: 'too-many-requests', retryAfter: 50 });
  time = 60_000;
  failed.check('192.0.2.1');
});

test('of a million peers the last ten thousand are remembered, and one that is still refused is not forgotten soon', () => {
  const failed = new FailedKeys(() => 0);
  const peer = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
  for (let times = 0; times < 10; times += 1) failed.add('192.0.2.1');
  for (let n = 0; n < 9_999; n += 1) failed.add(peer(n));
  assert.throws(() => failed.check('192.0.2.1'), { code: 'too-many-requests' });
  for (let n = 9_999; n < 1_000_000; n += 1) failed.add(peer(n));
  assert.equal(failed.size, 10_000);
});
