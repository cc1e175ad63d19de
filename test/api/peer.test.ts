import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressSet, privateAddresses, unmapped } from '../../src/lib/address.js';
import { ask } from '../support/http.js';
import { startApi } from './support.js';

/** 200 for a peer that counts as private, 401 for any other. */
async function opens(url: string, headers: Record<string, string>): Promise<number> {
  return (await ask(url, '/playlist.m3u', { headers })).status;
}

test('any forwarded header from a peer that is no proxy makes it public, and is logged once', async (t) => {
  const { url, log } = await startApi(t);
  assert.equal(await opens(url, {}), 200);
  for (const name of [
    'Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Proto',
    'X-Forwarded-Host',
    'X-Forwarded-Other',
    'X-Real-IP',
  ]) {
    assert.equal(await opens(url, { [name]: name === 'Forwarded' ? 'for=127.0.0.1' : '127.0.0.1' }), 401, name);
  }
  assert.equal(log().match(/forwarded headers/g)?.length, 1, log());
  assert.match(log(), /warn {2}forwarded headers .* {2}peer=127\.0\.0\.1\n/);
  assert.equal(await opens(url, {}), 200);
});

const believed: readonly (readonly [headers: Record<string, string>, status: number])[] = [
  [{ 'X-Forwarded-For': '192.168.1.20' }, 200],
  [{ 'X-Forwarded-For': '203.0.113.7' }, 401],
  [{ 'X-Forwarded-For': '192.168.1.20, 203.0.113.7' }, 401],
  [{ 'X-Forwarded-For': '203.0.113.7, 192.168.1.20' }, 200],
  [{ 'X-Forwarded-For': '203.0.113.7, 10.9.0.1' }, 401],
  [{ 'X-Forwarded-For': 'fd00::20' }, 200],
  [{ 'X-Forwarded-For': '2001:db8::1' }, 401],
  [{ 'X-Forwarded-For': '::ffff:192.168.1.20' }, 200],
  [{ 'X-Forwarded-For': '::ffff:203.0.113.7' }, 401],
  [{ 'X-Forwarded-For': 'somebody' }, 401],
  [{ 'X-Forwarded-For': '' }, 401],
  [{ 'X-Real-IP': '10.0.0.8' }, 200],
  [{ 'X-Real-IP': '203.0.113.7' }, 401],
  [{ Forwarded: 'for=192.168.1.20;proto=https' }, 200],
  [{ Forwarded: 'for="[fd00::20]:4711"' }, 200],
  [{ Forwarded: 'for="192.168.1.20:4711"' }, 200],
  [{ Forwarded: 'for=192.168.1.20, for=203.0.113.7' }, 401],
  [{ Forwarded: 'for=_hidden' }, 401],
  [{ Forwarded: 'for=unknown' }, 401],
  [{ 'X-Forwarded-For': '203.0.113.7', Forwarded: 'for=192.168.1.20' }, 401],
  [{ 'X-Forwarded-For': '203.0.113.7', 'X-Real-IP': '192.168.1.20' }, 401],
  [{ 'X-Forwarded-Proto': 'https' }, 401],
];

for (const [headers, status] of believed) {
  test(`a configured proxy that says ${JSON.stringify(headers)} gets ${status}`, async (t) => {
    const { url } = await startApi(t, { proxies: ['127.0.0.0/8', '10.9.0.0/16'] });
    assert.equal(await opens(url, headers), status);
  });
}

test('CGNAT is private only when configured', () => {
  assert.equal(privateAddresses(false).has('100.64.1.1'), false);
  assert.equal(privateAddresses(true).has('100.64.1.1'), true);
  assert.equal(privateAddresses(true).has('100.128.0.1'), false);
});

test('the household is RFC 1918, loopback, link-local and ULA, mapped into IPv6 or not', () => {
  const household = privateAddresses(false);
  const inside = [
    '10.255.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '127.3.2.1',
    '169.254.9.9',
    '::1',
    'fe80::1%eth0',
    'fdab::1',
  ];
  const outside = [
    '11.0.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '203.0.113.7',
    '0.0.0.0',
    '2001:db8::1',
    'fec0::1',
    'unknown',
    '',
  ];
  for (const address of inside) assert.equal(household.has(address), true, address);
  for (const address of outside) assert.equal(household.has(address), false, address);
  assert.equal(household.has('::ffff:10.0.0.1'), true);
  assert.equal(household.has('::ffff:a00:1'), true);
  assert.equal(household.has('::ffff:203.0.113.7'), false);
  assert.equal(household.has('::ffff:cb00:7107'), false);
});

test('an address is unmapped before anything else', () => {
  assert.equal(unmapped('::ffff:192.168.1.2'), '192.168.1.2');
  assert.equal(unmapped('::FFFF:c0a8:102'), '192.168.1.2');
  assert.equal(unmapped('fe80::1%eth0'), 'fe80::1');
});

test('what is no network is refused', () => {
  for (const text of ['10.0.0.0/33', '::/129', 'lan', '10.0.0.0/', '10.0.0.0/8/8', '']) {
    assert.throws(() => new AddressSet([text]), RangeError, text);
  }
});
