import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { WeirError } from '../../src/lib/errors.js';
import { ask } from '../support/http.js';
import { until } from '../support/until.js';
import { upstream } from './stub-relay.js';
import { news, oneChannel, startApi } from './support.js';

const never = ['content-length', 'transfer-encoding', 'accept-ranges', 'etag', 'last-modified', 'keep-alive'];

test('the head of a live answer is 200 video/mp2t, ends with the connection, and promises nothing else', async (t) => {
  const { url, relay } = await startApi(t);
  const headers = { Range: 'bytes=0-', 'Icy-MetaData': '1', Connection: 'keep-alive', 'User-Agent': 'x'.repeat(2000) };
  const answer = await ask(url, `/stream/${news.key}`, { headers });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'video/mp2t');
  assert.equal(answer.headers.get('connection'), 'close');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  for (const name of answer.headers.keys()) assert.ok(!never.includes(name) && !name.startsWith('icy-'), name);
  assert.deepEqual(relay.watched[0]?.upstream, upstream);
  assert.equal(relay.watched[0]?.note.userAgent?.length, 200);
});

test('HEAD of a live path answers at once, with the same type, and watches nothing (H01)', async (t) => {
  const { url, relay } = await startApi(t);
  for (const path of [
    `/stream/${news.key}`,
    `/stream/${news.key}.ts`,
    '/udp/239.1.1.1:5000',
    '/rtp/10.0.0.1@232.1.1.1%3A5000',
  ]) {
    const { status, headers, body } = await ask(url, path, { method: 'HEAD' });
    assert.equal(status, 200, path);
    assert.equal(headers.get('content-type'), 'video/mp2t');
    assert.equal(headers.get('connection'), 'close');
    for (const name of never) assert.equal(headers.get(name), undefined, name);
    assert.equal(body, '');
  }
  assert.equal((await ask(url, '/stream/other', { method: 'HEAD' })).status, 404);
  assert.equal((await ask(url, '/udp/239.1.1.1:0', { method: 'HEAD' })).status, 400);
  assert.equal(relay.watched.length, 0);
});

test('a channel is received as its list says, unless the request names an interface', async (t) => {
  const channel = { ...news, upstream: { ...upstream, interface: 'eth1' }, membershipRefresh: 30 };
  const { channels } = await oneChannel();
  const { url, relay } = await startApi(t, { channels: { ...channels, byKey: () => Promise.resolve(channel) } });
  for (const query of ['', '?ifname=eth2', '?r2h-ifname=eth3']) await ask(url, `/stream/${news.key}${query}`);
  await ask(url, '/udp/239.1.1.1:5000');
  assert.deepEqual(
    relay.watched.map(({ upstream, membershipRefresh, note }) => [upstream.interface, membershipRefresh, note.channel]),
    [
      ['eth1', 30, news.id],
      ['eth2', 30, news.id],
      ['eth3', 30, news.id],
      [null, null, null],
    ],
  );
  assert.equal((await ask(url, `/stream/${news.key}?ifname=a/b`)).status, 400);
});

test('a direct address is read from the raw path, and ifname chooses the interface', async (t) => {
  const { url, relay } = await startApi(t);
  const paths = [
    '/udp/239.1.1.1%5000',
    '/udp/239.1.1.1%3A5000/x?ifname=eth1',
    '/rtp/10.0.0.9@232.1.1.1:5000?r2h-ifname=eth2.40&ifname=eth1',
    '//udp/239.1.1.1^5000?fcc=10.0.0.1:8027&fcc-type=telecom&fec=5002',
  ];
  for (const path of paths) assert.equal((await ask(url, path)).status, 200, path);
  assert.deepEqual(
    relay.watched.map((watched) => watched.upstream),
    [
      { ...upstream, kind: 'udp' },
      { ...upstream, kind: 'udp', interface: 'eth1' },
      { ...upstream, address: '232.1.1.1', source: '10.0.0.9', interface: 'eth2.40' },
      { ...upstream, kind: 'udp' },
    ],
  );
  assert.equal((await ask(url, '/udp/239.1.1.1:5000?ifname=..%2Fetc')).status, 400);
  assert.equal((await ask(url, '/udp/239.1.1.1:5000?ifname=longer-than-any-name')).status, 400);
});

const refusals = [
  ['invalid', 400],
  ['no-signal', 503],
  ['join-refused', 503],
  ['unavailable', 503],
  ['upstream-refused', 502],
  ['upstream-timeout', 504],
] as const;

for (const [code, status] of refusals) {
  test(`a stream that the relay refuses as ${code} is answered ${status} with the reason`, async (t) => {
    const { url, relay } = await startApi(t);
    relay.refusal = new WeirError(code, 'Nothing came from 239.1.1.1:5000 within 4 s.');
    const answer = await ask(url, '/udp/239.1.1.1:5000');
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(answer.headers.get('retry-after'), undefined);
    assert.equal(answer.body, 'Nothing came from 239.1.1.1:5000 within 4 s.\n');
  });
}

test('a full house is answered 503 with Retry-After', async (t) => {
  const { url, relay } = await startApi(t);
  relay.refusal = new WeirError('limit-reached', 'All 5000 viewers are taken.', { retryAfter: 2.5 });
  assert.equal((await ask(url, `/stream/${news.key}`)).headers.get('retry-after'), '3');
  relay.refusal = new WeirError('limit-reached', 'All 5000 viewers are taken.');
  const answer = await ask(url, `/stream/${news.key}`);
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('retry-after'), '5');
});

test('a stream asked for behind another request on one connection begins when that answer is whole', async (t) => {
  const { url, relay } = await startApi(t);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: weir\r\n\r\n`;
  socket.write(`${request('/')}${request('/udp/239.1.1.1:5000')}`);
  await until('the stream is watched', () => relay.watched.length === 1);
  await until('the answer before it is whole', () => answer.includes('makes one.</p>'));
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
});
