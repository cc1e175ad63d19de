import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemSchema } from '../../src/api/contract/problem.js';
import { ask } from '../support/http.js';
import { until } from '../support/until.js';
import { bearer, secrets, startApi } from './support.js';

const unknown = [
  '/nothing',
  '/stream',
  '/stream/',
  '/stream/a/b',
  '/stream/other',
  '/restart',
  '/api/v1',
  '/api/v1/other',
  '/t',
  '/t/',
  '/%',
  '/stream/%E0%A4',
  '/UDP/239.1.1.1',
];

for (const path of unknown) {
  test(`${path} is 404`, async (t) => {
    const { url } = await startApi(t);
    assert.equal((await ask(url, path)).status, 404);
  });
}

test('a method that a path does not know is 405 and Allow names those it does', async (t) => {
  const { url } = await startApi(t);
  const asked = [
    ['POST', '/healthz', 'HEAD, GET'],
    ['PUT', '/stream/k7news', 'HEAD, GET'],
    ['POST', '/udp/239.1.1.1:5000', 'HEAD, GET'],
    ['DELETE', '/playlist.m3u', 'HEAD, GET, POST'],
    ['PATCH', '/api/v1/streams', 'HEAD, GET'],
    ['GET', '/api/v1/viewers/v1', 'DELETE'],
    ['PROPFIND', '/', 'HEAD, GET'],
  ] as const;
  for (const [method, path, allowed] of asked) {
    const { status, headers, body } = await ask(url, path, { method, headers: bearer(secrets.admin) });
    assert.equal(status, 405, `${method} ${path}`);
    assert.equal(headers.get('allow'), allowed);
    assert.ok(body.includes(method), body);
  }
});

test('an error is one line of text, and a problem document where the client asks for JSON', async (t) => {
  const { url } = await startApi(t);
  const text = await ask(url, '/udp/239.1.1.1:0', { headers: { Accept: '*/*' } });
  assert.equal(text.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.match(text.body, /^[^\n]+\n$/);
  for (const accept of ['application/json', 'text/html, application/problem+json;q=0.9']) {
    const { status, headers, body } = await ask(url, '/udp/239.1.1.1:0', { headers: { Accept: accept } });
    assert.equal(status, 400);
    assert.equal(headers.get('content-type'), 'application/problem+json');
    const problem = problemSchema.parse(JSON.parse(body));
    assert.deepEqual(problem, { title: 'Bad Request', status: 400, detail: text.body.trim(), code: 'invalid' });
  }
});

test('the REST API answers errors as problem documents without being asked', async (t) => {
  const { url } = await startApi(t);
  const { headers, body } = await ask(url, '/api/v1/streams');
  assert.equal(headers.get('content-type'), 'application/problem+json');
  assert.equal(problemSchema.parse(JSON.parse(body)).code, 'unauthorised');
});

test('a fault of our own is 500, says nothing of itself, and is in the log, its repetitions once a second', async (t) => {
  const lists = { get: () => Promise.reject(new Error('no such table: channel')) };
  const { url, log } = await startApi(t, { lists });
  const { status, body } = await ask(url, '/playlist.m3u');
  assert.equal(status, 500);
  assert.equal(body, 'Something went wrong in Weir. Its log says more.\n');
  assert.match(log(), /error request failed .*no such table: channel/);
  for (let times = 0; times < 5; times += 1) assert.equal((await ask(url, '/playlist.m3u')).status, 500);
  const reported = () => [...log().matchAll(/request failed.* {2}times=(\d+)\n/g)].map(([, times]) => Number(times));
  await until('the repetitions', () => reported().reduce((sum, times) => sum + times, 0) === 6);
  assert.ok(reported().length < 6, log());
});
