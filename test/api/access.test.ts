import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from '../support/http.js';
import { basic, bearer, news, secrets, startApi } from './support.js';

const proxied = { proxies: ['127.0.0.1'] };
/** A client out there, as our own proxy reports it. */
const stranger = { 'X-Forwarded-For': '203.0.113.7' };

test('the household opens list, stream, direct address and metrics without a token', async (t) => {
  const { url, relay } = await startApi(t);
  for (const path of ['/playlist.m3u', `/stream/${news.key}`, '/udp/239.1.1.1:5000', '/metrics']) {
    assert.equal((await ask(url, path)).status, 200, path);
  }
  const household = { channel: 7, token: null, userAgent: null, peer: '127.0.0.1', archive: null, asked: null };
  assert.deepEqual(relay.watched[0]?.note, household);
});

test('a stranger without a token gets 401 wherever the household gets in', async (t) => {
  const { url, relay } = await startApi(t, proxied);
  for (const path of ['/playlist.m3u', `/stream/${news.key}`, '/udp/239.1.1.1:5000', '/metrics']) {
    const { status, headers } = await ask(url, path, { headers: stranger });
    assert.equal(status, 401, path);
    assert.match(headers.get('www-authenticate') ?? '', /^Bearer realm/);
  }
  assert.equal((await ask(url, '/healthz', { headers: stranger })).status, 200);
  assert.equal(relay.watched.length, 0);
});

test('a stranger with a token gets the list, with the token in its URLs, and its streams', async (t) => {
  const { url, relay } = await startApi(t, proxied);
  const list = await ask(url, `/t/${secrets.token}/playlist.m3u`, { headers: stranger });
  assert.equal(list.status, 200);
  assert.ok(list.body.includes(`${url}/t/${secrets.token}/stream/${news.key}\n`), list.body);
  const player = { ...stranger, 'User-Agent': 'VLC/3' };
  for (const path of [`/stream/${news.key}.ts`, '/rtp/239.1.1.1%5000?x=1', '//udp/239.1.1.1', '/metrics']) {
    assert.equal((await ask(url, `/t/${secrets.token}${path}`, { headers: player })).status, 200, path);
  }
  const known = { channel: 7, token: 3, userAgent: 'VLC/3', peer: '203.0.113.7', archive: null, asked: null };
  assert.deepEqual(relay.watched[0]?.note, known);
  assert.equal((await ask(url, '/metrics', { headers: { ...stranger, ...bearer(secrets.token) } })).status, 200);
});

test('a wrong token is refused, from the household too, and a token opens nothing else', async (t) => {
  const { url } = await startApi(t);
  for (const token of ['wrong', secrets.read, secrets.admin, '']) {
    assert.equal((await ask(url, `/t/${token}/playlist.m3u`)).status, 401, token);
  }
  for (const path of ['/', '/status', '/api/v1/streams', '/healthz', `/t/${secrets.token}/playlist.m3u`, '']) {
    const { status } = await ask(url, `/t/${secrets.token}${path}`, { headers: bearer(secrets.admin) });
    assert.equal(status, 404, path);
  }
});

test('the REST API and /status need a key from every address, loopback too', async (t) => {
  const { url } = await startApi(t);
  for (const path of ['/api/v1/streams', '/api/v1/viewers', '/api/v1/sources', '/status']) {
    const refused = await ask(url, path);
    assert.equal(refused.status, 401, path);
    assert.equal((await ask(url, path, { headers: bearer(secrets.token) })).status, 401, path);
    for (const headers of [
      bearer(secrets.read),
      bearer(secrets.admin),
      basic('anyone', secrets.read),
      basic('', secrets.admin),
    ]) {
      const { status, headers: answered } = await ask(url, path, { headers });
      assert.equal(status, 200, path);
      assert.equal(answered.get('cache-control'), 'no-store');
    }
  }
});

test('a request without a key is asked for Basic, so that a browser can open /status, and for Bearer', async (t) => {
  const { url } = await startApi(t);
  const answer = await fetch(`${url}/status`);
  assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="Weir", charset="UTF-8", Bearer realm="Weir"');
  for (const wrong of [
    'Bearer',
    'Bearer x y',
    'Basic',
    'Basic !!!',
    `Basic ${Buffer.from(secrets.read).toString('base64')}`,
    secrets.read,
  ]) {
    assert.equal((await fetch(`${url}/status`, { headers: { Authorization: wrong } })).status, 401, wrong);
  }
});

test('disconnecting needs a key that may edit', async (t) => {
  const { url, relay } = await startApi(t);
  const remove = (path: string, secret: string) => ask(url, path, { method: 'DELETE', headers: bearer(secret) });
  assert.equal((await remove('/api/v1/viewers/v1', secrets.read)).status, 403);
  assert.deepEqual(relay.closed, []);
  assert.equal((await remove('/api/v1/viewers/v1', secrets.edit)).status, 204);
  assert.equal(
    (await remove(`/api/v1/streams/${encodeURIComponent('rtp://@239.1.1.1:5000')}`, secrets.admin)).status,
    204,
  );
  assert.deepEqual(relay.closed, ['v1', 'rtp://@239.1.1.1:5000']);
  assert.equal((await remove('/api/v1/viewers/other', secrets.edit)).status, 404);
});

test('a key that is revoked while Weir runs is refused from then on', async (t) => {
  let revoked = false;
  const key = { id: 1, name: 'k', scope: 'read' as const, createdAt: 0, revokedAt: null };
  const access = { findKey: () => Promise.resolve(revoked ? null : key), findToken: () => Promise.resolve(null) };
  const { url } = await startApi(t, { access });
  assert.equal((await ask(url, '/status', { headers: bearer('any') })).status, 200);
  revoked = true;
  assert.equal((await ask(url, '/status', { headers: bearer('any') })).status, 401);
});

test('no key and no token is in the log or in an answer that refuses it', async (t) => {
  const access = {
    findKey: () => Promise.reject(new Error('the disk is gone')),
    findToken: () => Promise.reject(new Error('the disk is gone')),
  };
  const { url, log } = await startApi(t, { access });
  const secret = 'a-secret-nobody-may-see';
  const refused = [
    await ask(url, `/t/${secret}/playlist.m3u`),
    await ask(url, `/t/${secret}/nothing`),
    await ask(url, '/status', { headers: { ...basic('x', secret), 'X-Forwarded-For': secret } }),
    await ask(url, '/api/v1/streams', { headers: bearer(secret) }),
  ];
  assert.deepEqual(
    refused.map(({ status }) => status),
    [500, 404, 500, 500],
  );
  assert.match(log(), /the disk is gone/);
  for (const text of [log(), ...refused.map(({ body }) => body)]) {
    assert.ok(!text.includes(secret), text);
    assert.ok(!text.includes(Buffer.from(`x:${secret}`).toString('base64')), text);
  }
  for (const { body } of refused) assert.doesNotMatch(body, /disk/);
});
