import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { basic, bearer, news, secrets, startApi } from './support.js';

type Problem = { readonly code: string; readonly detail: string };
type Sent = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string | Buffer };

const at = `/api/v1/channels/${news.id}`;
const type = { 'Content-Type': 'application/json' };

/** What fetch() would add or refuse to send is the point here. */
async function send(url: string, path: string, { method = 'PATCH', headers = {}, body }: Sent) {
  const asked = request(`${url}${path}`, { method, headers: { ...bearer(secrets.admin), ...headers } });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [import('node:http').IncomingMessage];
  const { statusCode: status, headers: answered } = response;
  const isProblem = answered['content-type'] === 'application/problem+json';
  return { status, headers: answered, problem: isProblem ? ((await json(response)) as Problem) : null };
}

test('only JSON in UTF-8 that is not compressed is taken: 415', async (t) => {
  const { url } = await startApi(t);
  for (const headers of [
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    { 'Content-Type': 'application/jsonp' },
    { 'Content-Type': 'application/json; charset=utf-16' },
    { ...type, 'Content-Encoding': 'gzip' },
    {},
  ]) {
    const { status, problem } = await send(url, at, { headers, body: '{}' });
    assert.deepEqual([status, problem?.code], [415, 'unsupported-media'], JSON.stringify(headers));
  }
  for (const value of ['application/json', 'Application/JSON; charset="UTF-8"', 'application/merge-patch+json']) {
    assert.equal((await send(url, at, { headers: { 'Content-Type': value }, body: '{}' })).status, 200, value);
  }
  const merge = { 'Content-Type': 'application/merge-patch+json' };
  assert.equal((await send(url, '/api/v1/rules', { method: 'POST', headers: merge, body: '{}' })).status, 415);
});

test('a body that is no JSON, no UTF-8 or not there is 400 and says where', async (t) => {
  const { url } = await startApi(t);
  for (const body of ['{"name": "a",}', '{', 'null', '"text"', Buffer.from([0x22, 0xff, 0x22])]) {
    const { status, problem } = await send(url, at, { headers: type, body });
    assert.deepEqual([status, problem?.code], [400, 'invalid'], String(body));
  }
  const { problem } = await send(url, at, { headers: type, body: '{"name": "secret",}' });
  assert.match(problem?.detail ?? '', /^The body is not JSON( at position 18.*)?\.$/);
  assert.match((await send(url, at, { headers: type })).problem?.detail ?? '', /needs a body/);
});

test('a body of more than 1 MB is 413, told by its length or not; the text of a list may have 16 MB', async (t) => {
  const { url } = await startApi(t);
  const long = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
  for (const headers of [
    { ...type, 'Content-Length': String(long.length) },
    { ...type, 'Transfer-Encoding': 'chunked' },
  ]) {
    const { status, problem } = await send(url, at, { headers, body: long });
    assert.deepEqual([status, problem?.code], [413, 'too-large']);
  }
  const list = (size: number) => JSON.stringify({ kind: 'inline', content: 'x'.repeat(size), enabled: false });
  const add = (body: string) => send(url, '/api/v1/sources', { method: 'POST', headers: type, body });
  assert.equal((await add(list(17 * 1024 * 1024))).status, 413);
  assert.equal((await add(list(2 * 1024 * 1024))).status, 201);
});

test('a page of another site can change nothing with the credentials that a browser remembers', async (t) => {
  const { url, relay } = await startApi(t);
  const authorised = basic('x', secrets.admin);
  const foreign = { ...authorised, 'Sec-Fetch-Site': 'cross-site' };
  for (const [method, path] of [
    ['DELETE', '/api/v1/viewers/v1'],
    ['PATCH', at],
    ['POST', '/api/v1/sources/1:refresh'],
    ['POST', '/api/v1/tokens'],
  ] as const) {
    const body = method === 'DELETE' ? undefined : '{"name":"x"}';
    const { status, problem } = await send(url, path, {
      method,
      headers: { ...foreign, ...type },
      ...(body === undefined ? {} : { body }),
    });
    assert.deepEqual([status, problem?.code], [403, 'forbidden'], `${method} ${path}`);
  }
  assert.deepEqual(relay.closed, []);
  // What a form can send, from a browser that does not say where it comes from.
  for (const form of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    undefined,
  ]) {
    const headers = { ...authorised, ...(form === undefined ? {} : { 'Content-Type': form }) };
    assert.equal((await send(url, '/api/v1/changes/1:undo', { method: 'POST', headers })).status, 415, form);
  }
  const own = { ...authorised, 'Sec-Fetch-Site': 'same-origin', ...type };
  assert.equal(
    (await send(url, '/api/v1/tokens', { method: 'POST', headers: own, body: '{"name":"tv"}' })).status,
    201,
  );
  assert.equal((await send(url, '/api/v1/changes/999:undo', { method: 'POST' })).status, 404);
  assert.equal((await send(url, '/api/v1/streams', { method: 'GET', headers: foreign })).status, 200);
});

test('HEAD is GET without its body, OPTIONS names the methods, and no other origin is let in', async (t) => {
  const { url } = await startApi(t);
  const got = await send(url, at, { method: 'GET' });
  const head = await send(url, at, { method: 'HEAD' });
  assert.equal(head.status, 200);
  for (const name of ['etag', 'content-type', 'content-length'])
    assert.equal(head.headers[name], got.headers[name], name);
  const origin = { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'PATCH' };
  const options = await send(url, at, { method: 'OPTIONS', headers: origin });
  assert.equal(options.status, 200);
  assert.deepEqual((options.headers.allow ?? '').split(', ').sort(), ['GET', 'HEAD', 'PATCH']);
  for (const name of Object.keys(options.headers)) assert.doesNotMatch(name, /^access-control-/);
  const wrong = await send(url, at, { method: 'PUT' });
  assert.deepEqual([wrong.status, wrong.problem?.code], [405, 'method-not-allowed']);
});

test('Location stands behind the public address where there is one', async (t) => {
  const { url } = await startApi(t, { publicUrl: 'https://tv.example.org/weir' });
  const made = await send(url, '/api/v1/lineups', { method: 'POST', headers: type, body: '{"slug":"a","name":"A"}' });
  assert.equal(made.headers.location, 'https://tv.example.org/weir/api/v1/lineups/a');
});
