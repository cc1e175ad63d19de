import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessToken, ApiKey } from '../../src/model/access.js';
import type { Page } from '../../src/model/page.js';
import { ask } from '../support/http.js';
import { startHousehold } from './household.js';
import { basic, bearer, secrets, startApi } from './support.js';

test('a key is shown with its secret once, works until it is revoked, and only administrators manage keys', async (t) => {
  const house = await startHousehold(t);
  const made = await house.ask<ApiKey & { secret: string }>('POST', '/keys', {
    body: { name: 'phone', scope: 'edit' },
  });
  assert.equal(made.status, 201);
  const { secret, ...key } = made.body;
  assert.match(secret, /^weir_/);
  const listed = await house.get<Page<ApiKey>>('/keys');
  assert.deepEqual(
    listed.items.find(({ id }) => id === key.id),
    key,
  );
  assert.doesNotMatch(JSON.stringify(listed), /secret|weir_/);
  const use = () => ask(house.url, '/api/v1/groups', { headers: bearer(secret) });
  assert.equal((await use()).status, 200);
  assert.equal((await house.ask('DELETE', `/keys/${key.id}`)).status, 204);
  assert.equal((await use()).status, 401);
  assert.equal((await house.ask('DELETE', `/keys/${key.id}`)).status, 404);
  for (const path of ['/keys', '/tokens']) {
    assert.equal((await house.ask('GET', path, { as: 'edit' })).status, 403);
    assert.equal((await house.ask('POST', path, { as: 'edit', body: { name: 'x' } })).status, 403);
  }
  assert.equal((await house.ask('POST', '/keys', { body: { name: 'x', scope: 'root' } })).status, 400);
});

test('a token opens the playlist until it is revoked', async (t) => {
  const house = await startHousehold(t);
  const { body } = await house.ask<AccessToken & { secret: string }>('POST', '/tokens', { body: { name: 'tv' } });
  const open = () => ask(house.url, `/t/${body.secret}/playlist.m3u`);
  assert.equal((await open()).status, 200);
  assert.equal((await house.get<Page<AccessToken>>('/tokens')).items[0]?.name, 'tv');
  assert.equal((await house.ask('DELETE', `/tokens/${body.id}`)).status, 204);
  assert.equal((await open()).status, 401);
});

test('ten wrong keys from one address are one minute of 429 for it, but for keys that Weir made, and nothing to others', async (t) => {
  const { url } = await startApi(t, { proxies: ['127.0.0.1'] });
  const from = (peer: string, secret: string) =>
    ask(url, '/api/v1/streams', { headers: { ...bearer(secret), 'X-Forwarded-For': peer } });
  for (let times = 0; times < 10; times += 1) assert.equal((await from('192.168.1.66', `wrong${times}`)).status, 401);
  const refused = await from('192.168.1.66', 'wrong');
  assert.equal(refused.status, 429);
  assert.equal((JSON.parse(refused.body) as { code: string }).code, 'too-many-requests');
  const wait = Number(refused.headers.get('retry-after'));
  assert.ok(wait > 50 && wait <= 60, `${wait} s`);
  assert.equal((await from('192.168.1.66', secrets.admin)).status, 429, 'a word cannot be found by trying on');
  assert.equal((await from('192.168.1.66', secrets.read)).status, 200);
  assert.equal((await from('192.168.1.66', 'wrong')).status, 429, 'a right key sets nothing back');
  assert.equal((await from('192.168.1.7', secrets.read)).status, 200);
});

test('the addresses of one IPv6 network count as one, and a request without a key does not count', async (t) => {
  const { url } = await startApi(t, { proxies: ['127.0.0.1'] });
  const from = (peer: string, headers: Record<string, string>) =>
    ask(url, '/api/v1/streams', { headers: { ...headers, 'X-Forwarded-For': peer } });
  for (let times = 0; times < 12; times += 1) assert.equal((await from('2001:db8::1', {})).status, 401);
  for (let times = 0; times < 10; times += 1) {
    assert.equal((await from(`2001:db8:0:0:${times}::1`, basic('x', 'wrong'))).status, 401);
  }
  assert.equal((await from('2001:DB8::ffff', bearer(secrets.admin))).status, 429);
  assert.equal((await from('2001:db8:0:1::1', bearer(secrets.admin))).status, 200);
});
