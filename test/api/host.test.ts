import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { ask } from '../support/http.js';
import { upstream } from './stub-relay.js';
import { startApi } from './support.js';

const ours = [
  '127.0.0.1',
  '127.0.0.1:5140',
  '192.0.2.1',
  '[::1]:5140',
  '[2001:db8::1]',
  'localhost',
  'LOCALHOST:80',
  'weir',
  'media-box:5140',
];
const oursToo = [
  'tv.local',
  'a.b.local:1',
  'nas.lan',
  'nas.LAN.',
  'tv.home.arpa',
  'tv.example.org',
  'lists.example.net:8443',
];
const foreign = [
  'evil.example',
  'local.evil.example',
  'tv.example.org.evil.example',
  'x.tv.example.org',
  'evil.example:5140',
];
const malformed = ['127.0.0.1.evil.example', 'user@weir', 'weir/x', '[::1', '[evil]', 'weir:port', 'a b', ''];

const configured = { hosts: ['tv.example.org'], publicUrl: 'https://lists.example.net/weir' };

for (const host of [...ours, ...oursToo]) {
  test(`Host "${host}" is ours`, async (t) => {
    const { url } = await startApi(t, configured);
    assert.equal((await ask(url, '/healthz', { headers: { Host: host } })).status, 200);
  });
}

for (const host of [...foreign, ...malformed]) {
  test(`Host "${host}" is refused on every path`, async (t) => {
    const { url, relay } = await startApi(t, configured);
    for (const path of ['/healthz', '/', '/playlist.m3u', '/udp/239.1.1.1:5000', '/api/v1/streams']) {
      assert.equal((await ask(url, path, { headers: { Host: host } })).status, 403, path);
    }
    assert.equal(relay.watched.length, 0);
  });
}

test('the host of an absolute-form target counts, not the header beside it', async (t) => {
  const { url, relay } = await startApi(t);
  assert.equal((await ask(url, 'http://evil.example/healthz', { headers: { Host: 'weir' } })).status, 403);
  assert.equal((await ask(url, 'http://weir/healthz', { headers: { Host: 'evil.example' } })).status, 200);
  assert.equal((await ask(url, 'http://weir/udp/239.1.1.1%5000?x')).status, 200);
  assert.deepEqual(relay.watched[0]?.upstream, { ...upstream, kind: 'udp' });
  assert.match((await ask(url, 'HTTP://weir:81/playlist.m3u')).body, /^http:\/\/weir:81\/stream\//m);
});

test('a request without Host, as HTTP/1.0 allows, was sent to the address it arrived at', async (t) => {
  const { url } = await startApi(t);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end('GET / HTTP/1.0\r\n\r\n');
  const answer = await text(socket);
  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.ok(answer.includes(`${url}/playlist.m3u`), answer);
});

test('a proxy cannot bring in a foreign host', async (t) => {
  const { url } = await startApi(t, { proxies: ['127.0.0.1'] });
  const forwarded = { Host: 'weir', 'X-Forwarded-For': '192.168.1.2', 'X-Forwarded-Host': 'evil.example' };
  const { body } = await ask(url, '/playlist.m3u', { headers: forwarded });
  assert.match(body, /^http:\/\/weir\/stream\//m);
});
