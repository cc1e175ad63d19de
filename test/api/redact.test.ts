import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactAddress, redactDeep, redactText, redactUpstream } from '../../src/api/redact.js';
import { upstream } from './stub-relay.js';

const cases = [
  ['http://host/get.php?username=u&password=p', 'http://host/…'],
  ['http://host/live/u/p/1.ts', 'http://host/…'],
  ['https://u:p@host:8443/', 'https://host:8443'],
  ['http://u:p@ss@host/x', 'http://host/…'],
  ['rtsp://u:p@host', 'rtsp://host'],
  ['HTTP://host', 'HTTP://host'],
  ['http://host?token=p', 'http://host/…'],
  ['http://host#p', 'http://host/…'],
  ['http://[2001:db8::1]:80/p', 'http://[2001:db8::1]:80/…'],
  ['http://host|Cookie=p', 'http://host/…'],
  ['udp://10.0.0.1@239.1.1.1:5000', 'udp://10.0.0.1@239.1.1.1:5000'],
  ['/lists/a.m3u', '/lists/a.m3u'],
] as const;

for (const [address, shown] of cases) {
  test(`${address} is shown as ${shown}`, () => {
    assert.equal(redactAddress(address), shown);
    assert.equal(redactText(`the server at "${address}" said no`), `the server at "${shown}" said no`);
  });
}

test('an account with odd characters in it is not shown in part', () => {
  assert.equal(redactAddress('http://u:p"q r@host/s'), 'http://host/…');
  assert.equal(redactAddress('http://u:p\nq@host/s'), 'http://host/…');
});

test('addresses are found wherever they stand in a value, and header fields keep their names', () => {
  const value = { a: ['x http://h/p', { b: 'http://h/q,http://h/r' }], headers: { Cookie: 's' }, n: 1, z: null };
  const shown = { a: ['x http://h/…', { b: 'http://h/…' }], headers: { Cookie: '…' }, n: 1, z: null };
  assert.deepEqual(redactDeep(value), shown);
});

test('of a stream by RTSP the host is shown, and a group is shown as it is', () => {
  const [session, group] = [{ kind: 'rtsp', url: 'rtsp://u:p@h:8554/s?t=s', interface: null } as const, upstream];
  assert.deepEqual(redactUpstream({ id: 'a', upstream: session }), {
    id: 'a',
    upstream: { ...session, url: 'rtsp://h:8554/…' },
  });
  assert.deepEqual(redactUpstream({ id: 'a', upstream: group }), { id: 'a', upstream: group });
});

test('a long word without an address in it takes no longer than it is long', () => {
  const since = performance.now();
  assert.equal(redactText('x'.repeat(1_000_000)).length, 1_000_000);
  assert.ok(performance.now() - since < 5_000);
});
