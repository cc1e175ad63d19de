import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createApi } from '../../src/api/server.js';
import { publish } from '../store/fixture.js';
import { ask } from '../support/http.js';
import { addLoopbackAddress } from '../support/netns.js';
import { pictures, png } from '../support/pictures.js';
import { privateNetwork } from '../support/private-network.js';
import { serve } from '../support/server.js';
import { realOptions } from './support.js';

const skip = privateNetwork();
/** Loopback is refused, so the pictures are elsewhere in the household. */
const address = '10.9.0.1';
if (skip === false) addLoopbackAddress(address);

/** An API over channels with these logos; `at` is the path of each. Paths are on a server of pictures. */
async function setUp(t: TestContext, logos: readonly (string | null)[]) {
  const asked: string[] = [];
  const pictureServer = await serve(
    t,
    ({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(url.endsWith('.svg') ? '<svg xmlns="http://www.w3.org/2000/svg"/>' : png(3000));
    },
    { address },
  );
  const options = await realOptions(t);
  const lines = logos.map((logo, n) => {
    const said = logo === null ? {} : { logo: logo.startsWith('/') ? `${pictureServer}${logo}` : logo };
    return { name: `Channel ${n}`, ...said };
  });
  await publish(options.store, '/lists/a.m3u', lines);
  const api = createApi({ ...options, listen: [{ address: '127.0.0.1', port: 0 }] });
  const [url = ''] = await api.start();
  t.after(() => api.stop());
  const channels = await options.channels.list();
  return { url, asked, at: channels.map(({ key }) => `/logos/${key}`), store: options.store };
}

test('the logo of a channel is served locally, as nothing but a picture, and 304 to whoever has it', {
  skip,
}, async (t) => {
  const { url, asked, at } = await setUp(t, ['/a.png']);
  const answer = await fetch(url + at[0]);
  assert.equal(answer.status, 200);
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), png(3000));
  const etag = answer.headers.get('etag') ?? '';
  assert.match(etag, /^"[\da-f]{64}"$/);
  const headers = {
    'content-type': 'image/png',
    'content-length': '3000',
    'cache-control': 'private, max-age=86400',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  };
  for (const [name, value] of Object.entries(headers)) assert.equal(answer.headers.get(name), value);

  const head = await ask(url, `${at[0]}?v=1`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.body, head.headers.get('etag')], [200, '', etag]);
  for (const [name, value] of Object.entries(headers)) assert.equal(head.headers.get(name), value, name);
  const same = await ask(url, `${at[0]}.png`, { headers: { 'If-None-Match': etag } });
  assert.deepEqual([same.status, same.body, same.headers.get('cache-control')], [304, '', headers['cache-control']]);
  assert.deepEqual(asked, ['/a.png']);
});

test('a viewer from elsewhere needs a token, in the path too', { skip }, async (t) => {
  const { url, at, store } = await setUp(t, ['/a.png']);
  const elsewhere = { headers: { 'X-Forwarded-For': '203.0.113.9' } };
  assert.equal((await ask(url, at[0] ?? '', elsewhere)).status, 401);
  assert.equal((await ask(url, `/t/wrong${at[0]}`)).status, 401);
  const { secret } = await store.access.createToken('tv');
  const answer = await ask(url, `/t/${secret}${at[0]}`, elsewhere);
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png']);
});

test('where there is no logo, or none that may be served, the answer is 404 with the reason', { skip }, async (t) => {
  const inline = `data:image/svg+xml;base64,${pictures['image/gif']?.toString('base64')}`;
  const { url, asked, at } = await setUp(t, [null, '/a.svg', 'http://127.0.0.1:1/a.png', inline]);
  const answers = await Promise.all(at.map((path) => ask(url, path)));
  const reasons = [
    /^This channel has no logo\.\n$/,
    /^There is no logo\. It is an SVG, which could hold scripts\./,
    /^There is no logo\. It leads to an address of this machine or its links, which is refused\.\n$/,
  ];
  for (const [index, reason] of reasons.entries()) {
    assert.equal(answers[index]?.status, 404);
    assert.match(answers[index]?.body ?? '', reason);
    assert.equal(answers[index]?.headers.get('cache-control'), 'no-store');
  }
  assert.deepEqual([answers[3]?.status, answers[3]?.headers.get('content-type')], [200, 'image/gif']);
  assert.deepEqual(asked, ['/a.svg']);
});

test('an address that no channel names is not fetched', { skip }, async (t) => {
  const { url, asked } = await setUp(t, [null]);
  const wanted = `http://${address}:1/a.png`;
  for (const path of [encodeURIComponent(wanted), `?url=${wanted}`, 'unknown', `unknown?url=${wanted}`, 'unknown.png'])
    assert.equal((await ask(url, `/logos/${path}`)).status, 404, path);
  assert.deepEqual(asked, []);
});
