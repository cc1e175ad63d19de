import assert from 'node:assert/strict';
import { test } from 'node:test';
import { download } from '../../src/lib/download.js';
import { startHttpProxy } from '../support/http-proxy.js';
import { serve } from '../support/server.js';
import { startSocksProxy } from '../support/socks-proxy.js';

const names = { 'list.example': '127.0.0.1' };
const textOf = (answer: Awaited<ReturnType<typeof download>>) => answer && Buffer.from(answer.body).toString();

test('a list comes through an HTTP proxy, which looks its name up and is shown its credentials', async (t) => {
  const url = await serve(t, ({ headers }, response) => response.end(`for ${headers.host}, ${headers['user-agent']}`));
  const named = url.replace('127.0.0.1', 'list.example');
  const proxy = await startHttpProxy(t, { names, credentials: 'me:s3cret!' });
  const answer = await download(`${named}/a?b`, { proxy: `http://me:s3cret%21@${proxy.host}`, userAgent: 'Weir/test' });
  assert.equal(textOf(answer), `for ${new URL(named).host}, Weir/test`);
  assert.deepEqual(proxy.asked, [`GET ${named}/a?b`]);
});

test('an HTTPS list is asked for through a tunnel', async (t) => {
  const proxy = await startHttpProxy(t, { names });
  const url = await serve(t, (_, response) => response.end());
  const named = url.replace('127.0.0.1', 'list.example').replace('http:', 'https:');
  await assert.rejects(download(named, { proxy: `http://${proxy.host}` }), {
    message: /^The download through the proxy failed: the server does not speak TLS/,
  });
  assert.deepEqual(proxy.asked, [`CONNECT ${new URL(named).host}`]);
});

test('a list comes through a SOCKS5 proxy, with credentials and without', async (t) => {
  const url = await serve(t, ({ headers }, response) => response.end(`for ${headers.host}`));
  const named = url.replace('127.0.0.1', 'list.example');
  const { host } = new URL(named);
  for (const [credentials, user] of [
    ['me:s3cret!', 'me:s3cret%21@'],
    [undefined, ''],
  ] as const) {
    const proxy = await startSocksProxy(t, { names, ...(credentials === undefined ? {} : { credentials }) });
    for (const scheme of ['socks5', 'socks5h']) {
      const answer = await download(named, { proxy: `${scheme}://${user}${proxy.host}` });
      assert.equal(textOf(answer), `for ${host}`);
    }
    assert.deepEqual(proxy.asked, [host, host]);
  }
});

test('a proxy that wants another password says so, and no message holds the one it was shown', async (t) => {
  const url = await serve(t, (_, response) => response.end());
  const http = await startHttpProxy(t, { credentials: 'me:right' });
  const socks = await startSocksProxy(t, { credentials: 'me:right' });
  const seen: string[] = [];
  for (const [address, proxy] of [
    [url, `http://me:s3cret@${http.host}`],
    [url.replace('http:', 'https:'), `http://me:s3cret@${http.host}`],
    [url, `socks5://me:s3cret@${socks.host}`],
    [url, `socks5://${socks.host}`],
  ] as const) {
    const error = await download(address, { proxy }).catch((error: Error) => error);
    assert.ok(error instanceof Error);
    assert.doesNotMatch(`${error.stack} ${String(error.cause)}`, /s3cret/);
    seen.push(error.message);
  }
  const refusal = 'The download through the proxy failed: it wants another user or password.';
  assert.deepEqual(seen, [refusal, refusal, refusal, refusal]);
});

test('a proxy that is not there, or cannot reach the server, says so', async (t) => {
  const { host } = await startSocksProxy(t);
  const dead = 'http://127.0.0.1:1/';
  await assert.rejects(download(dead, { proxy: `socks5://${host}` }), {
    message: /proxy failed: it cannot reach the server\.$/,
  });
  for (const scheme of ['http', 'socks5']) {
    await assert.rejects(download(dead, { proxy: `${scheme}://127.0.0.1:1` }), {
      code: 'upstream-refused',
      message: /^The download through the proxy failed: .*ECONNREFUSED/,
    });
  }
});

test('a proxy that is none is refused without being shown', async () => {
  for (const proxy of ['ftp://me:s3cret@host', 'me:s3cret@host:8080', 'socks4://me:s3cret@host']) {
    await assert.rejects(download('http://127.0.0.1:1/', { proxy }), {
      code: 'invalid',
      message: 'The proxy is no http, https or socks5 address. Write it as socks5://host:1080.',
    });
  }
});
