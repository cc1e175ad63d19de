import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, watch } from '../support/http.js';
import { addLoopbackAddress } from '../support/netns.js';
import { privateNetwork } from '../support/private-network.js';
import { startSource } from '../support/rtp-source.js';
import { adminKey, runWeir, startWeir } from '../support/weir.js';

const skip = privateNetwork();
const strangers = ['192.0.2.10', '198.51.100.10', '203.0.113.10', '100.64.0.10'];
const household = ['127.0.0.1', '10.1.2.3', '172.31.2.3', '192.168.3.4', '169.254.3.4'];
const group = '239.1.10.1';
const path = `/rtp/${group}:5000`;
const playlist = `#EXTM3U\n#EXTINF:-1,One\nrtp://@${group}:5000\n`;
if (skip === false) for (const address of [...strangers, ...household.slice(1)]) addLoopbackAddress(address);

test('peers from outside need a token for streams, lists and metrics, the household does not', { skip }, async (t) => {
  await startSource(t, { address: group, port: 5000 });
  const weir = await startWeir(t, { playlist });
  for (const [peers, expected] of [
    [strangers, 401],
    [household, 200],
  ] as const) {
    for (const from of peers) {
      assert.equal((await watch(t, weir.url, path, { from })).status, expected, `stream for ${from}`);
      for (const one of ['/playlist.m3u', '/metrics']) {
        assert.equal((await ask(weir.url, one, { from })).status, expected, `${one} for ${from}`);
      }
      assert.equal((await ask(weir.url, '/healthz', { from })).status, 200, `/healthz for ${from}`);
    }
  }
  const refused = await ask(weir.url, path, { from: '192.0.2.10' });
  assert.match(refused.headers.get('www-authenticate') ?? '', /Bearer/);
});

test('a token opens streams and lists from outside until it is revoked, and its list keeps it', { skip }, async (t) => {
  await startSource(t, { address: group, port: 5000 });
  const weir = await startWeir(t, { playlist });
  const made = runWeir('token', 'new', '--data', weir.data, '--name', 'living room');
  assert.equal(made.code, 0, made.err);
  const token = made.out.trim();
  const from = '192.0.2.10';
  const list = await ask(weir.url, `/t/${token}/playlist.m3u`, { from });
  assert.equal(list.status, 200);
  const line = list.body.split('\n').find((one) => one.startsWith('http://')) ?? '';
  assert.ok(line.startsWith(`${weir.url}/t/${token}/stream/`.replace(/([^:])\/\//, '$1/')), line);
  const viewer = await (await watch(t, weir.url, new URL(line).pathname, { from })).received(100);
  assert.equal(viewer.status, 200);
  assert.equal((await ask(weir.url, `/t/${token}x/playlist.m3u`, { from })).status, 401);
  assert.equal((await ask(weir.url, '/api/v1/streams', { headers: { Authorization: `Bearer ${token}` } })).status, 401);

  const revoked = runWeir('token', 'revoke', '--data', weir.data, '1');
  assert.equal(revoked.code, 0, revoked.err);
  assert.equal((await ask(weir.url, `/t/${token}/playlist.m3u`, { from })).status, 401);
});

const forwarded: [string, string][] = [
  ['X-Forwarded-For', '192.168.1.2'],
  ['Forwarded', 'for=192.168.1.2'],
  ['X-Real-IP', '192.168.1.2'],
  ['X-Forwarded-Host', 'localhost'],
  ['X-Forwarded-Proto', 'https'],
];

test('forwarded headers from a peer that is no proxy make it a stranger, logged once', { skip }, async (t) => {
  const weir = await startWeir(t);
  for (const [name, value] of forwarded) {
    const { status } = await ask(weir.url, '/playlist.m3u', { headers: { [name]: value } });
    assert.equal(status, 401, name);
  }
  const lines = weir.log.split('\n').filter((line) => /forwarded/i.test(line));
  assert.equal(lines.length, 1, lines.join('\n'));
});

test('a configured proxy is believed: the last address that is no proxy counts', { skip }, async (t) => {
  const weir = await startWeir(t, { env: { WEIR_PROXIES: '10.1.2.0/24' } });
  const status = async (chain: string) =>
    (await ask(weir.url, '/playlist.m3u', { from: '10.1.2.3', headers: { 'X-Forwarded-For': chain } })).status;
  assert.equal(await status('192.168.1.2'), 200);
  assert.equal(await status('192.0.2.10'), 401);
  assert.equal(await status('192.168.1.2, 192.0.2.10'), 401);
});

test('a foreign Host is refused everywhere, names of the house are not', { skip }, async (t) => {
  const weir = await startWeir(t, { env: { WEIR_HOSTS: 'tv.example.net' } });
  const status = async (host: string) => (await ask(weir.url, '/playlist.m3u', { headers: { Host: host } })).status;
  for (const host of ['attacker.example', 'tv.example.net.attacker.example', 'localhost.attacker.example', '']) {
    assert.equal(await status(host), 403, host);
  }
  for (const host of [
    'localhost',
    'nas',
    'nas.local:5140',
    'tv.lan',
    'tv.home.arpa',
    'tv.example.net',
    '[::1]:80',
    '192.0.2.1',
  ]) {
    assert.equal(await status(host), 200, host);
  }
});

test('/api/v1 needs a key even from loopback; a revoked key is refused; scopes are kept', { skip }, async (t) => {
  const weir = await startWeir(t);
  const status = async (key: string | null, method = 'GET', of = '/api/v1/streams') =>
    (await ask(weir.url, of, { method, headers: key === null ? {} : { Authorization: `Bearer ${key}` } })).status;
  assert.equal(await status(null), 401);
  assert.equal(await status('wrong'), 401);
  assert.equal(await status(adminKey), 200);
  const made = runWeir('key', 'new', '--data', weir.data, '--scope', 'read');
  assert.equal(made.code, 0, made.err);
  const key = made.out.trim();
  assert.equal(await status(key), 200);
  assert.equal(await status(key, 'DELETE', '/api/v1/streams/none'), 403);
  assert.equal(await status(adminKey, 'DELETE', '/api/v1/streams/none'), 404);
  const revoked = runWeir('key', 'revoke', '--data', weir.data, '1');
  assert.equal(revoked.code, 0, revoked.err);
  assert.equal(await status(key), 401);
});

test('keys and tokens stand in no log, not even at level debug', { skip }, async (t) => {
  await startSource(t, { address: group, port: 5000 });
  const weir = await startWeir(t, { playlist, args: ['--log', 'debug'] });
  const token = runWeir('token', 'new', '--data', weir.data).out.trim();
  const key = runWeir('key', 'new', '--data', weir.data, '--scope', 'admin').out.trim();
  const basic = Buffer.from(`any:${key}`).toString('base64');
  const viewer = await (await watch(t, weir.url, `/t/${token}${path}`, { from: '192.0.2.10' })).received(100);
  viewer.close();
  for (const secret of [token, `${token}wrong`]) {
    await ask(weir.url, `/t/${secret}/playlist.m3u`);
    await ask(weir.url, `/t/${secret}/rtp/239.1.10.300:1`);
    await ask(weir.url, `/t/${secret}/nothing/here`);
  }
  for (const headers of [{ Authorization: `Bearer ${key}` }, { Authorization: `Basic ${basic}` }]) {
    await ask(weir.url, '/api/v1/viewers', { headers });
    await ask(weir.url, '/api/v1/none', { headers });
    await ask(weir.url, '/status', { headers });
  }
  await weir.signal('SIGTERM');
  const logs = weir.log + weir.pumpLog();
  for (const secret of [token, key, basic, adminKey]) {
    assert.ok(secret.length >= 16, `"${secret}" is no secret`);
    assert.equal(logs.includes(secret), false, `a secret is in the log`);
  }
  assert.match(weir.log, /debug/);
});
