import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from '../support/http.js';
import { bearer, news, secrets, startApi } from './support.js';

const stream = `/stream/${news.key}`;

test('the URLs of the list lead back the way the request came, also from one moment to the next (H13)', async (t) => {
  const { url } = await startApi(t);
  const bodies = new Map<string, string>();
  for (const host of ['tv.lan', '192.168.1.2:5140', '[::1]:5140', 'tv.lan']) {
    const { body, headers } = await ask(url, '/playlist.m3u', { headers: { Host: host } });
    assert.ok(body.includes(`\nhttp://${host}${stream}\n`), body);
    assert.equal(headers.get('content-type'), 'audio/x-mpegurl');
    bodies.set(headers.get('etag') ?? '', body);
  }
  assert.equal(bodies.size, 3);
});

test('a proxy says how it was reached: scheme, host and port', async (t) => {
  const { url } = await startApi(t, { proxies: ['127.0.0.1'], hosts: ['tv.example.org'] });
  const base = async (headers: Record<string, string>) => {
    const { body } = await ask(url, '/playlist.m3u', { headers: { 'X-Forwarded-For': '192.168.1.9', ...headers } });
    return /^(\S+)\/stream\//m.exec(body)?.[1];
  };
  const host = 'tv.example.org';
  assert.equal(await base({ 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': host }), `https://${host}`);
  assert.equal(
    await base({ 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': `${host}:8443` }),
    `https://${host}:8443`,
  );
  assert.equal(
    await base({ 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': host, 'X-Forwarded-Port': '8443' }),
    `https://${host}:8443`,
  );
  assert.equal(await base({ 'X-Forwarded-Host': host, 'X-Forwarded-Port': '80' }), `http://${host}`);
  assert.equal(await base({ Forwarded: `for=10.0.0.1;proto=https;host="${host}:9"` }), `https://${host}:9`);
});

test('the public URL wins over how the request came', async (t) => {
  const { url } = await startApi(t, { publicUrl: 'https://tv.example.org/weir' });
  assert.match((await ask(url, '/playlist.m3u')).body, /^https:\/\/tv\.example\.org\/weir\/stream\/k7news$/m);
  const withToken = await ask(url, `/t/${secrets.token}/playlist.m3u`);
  assert.ok(withToken.body.includes(`https://tv.example.org/weir/t/${secrets.token}/stream/`), withToken.body);
});

test('an unchanged list is 304 to whoever has it, and its tag changes with the list', async (t) => {
  const { url } = await startApi(t);
  const first = await ask(url, '/playlist.m3u');
  const etag = first.headers.get('etag') ?? '';
  assert.match(etag, /^"[\w-]{20,}"$/);
  const again = await ask(url, '/playlist.m3u', { headers: { 'If-None-Match': etag } });
  assert.equal(again.status, 304);
  assert.equal(again.body, '');
  const rename = (name: string) =>
    fetch(`${url}/api/v1/channels/${news.id}`, {
      method: 'PATCH',
      headers: { ...bearer(secrets.edit), 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
  assert.equal((await rename('Other')).status, 200);
  const changed = await ask(url, '/playlist.m3u', { headers: { 'If-None-Match': etag } });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.get('etag'), etag);
  assert.match(changed.body, /,Other$/m);
});

test('HEAD has the headers of GET and no body; POST, as Smarters sends it, is answered like GET', async (t) => {
  const { url } = await startApi(t);
  const got = await ask(url, '/playlist.m3u');
  const head = await ask(url, '/playlist.m3u', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(head.body, '');
  for (const name of ['etag', 'content-type', 'content-length'])
    assert.equal(head.headers.get(name), got.headers.get(name), name);
  const posted = await fetch(`${url}/playlist.m3u`, { method: 'POST', body: new URLSearchParams({ username: 'a' }) });
  assert.equal(posted.status, 200);
  assert.equal(await posted.text(), got.body);
});
