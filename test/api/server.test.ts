import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createApi } from '../../src/api/server.js';
import { ask } from '../support/http.js';
import { until } from '../support/until.js';
import { oneChannel, startApi } from './support.js';

async function raw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  return await text(socket);
}

test('what is not HTTP is answered 400, and the connection closed', async (t) => {
  const { url } = await startApi(t);
  assert.match(await raw(url, 'not http at all\r\n\r\n'), /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(await raw(url, 'GET /healthz HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 Bad Request\r\n/);
});

test('a head of more than 16 KiB is answered 431', async (t) => {
  const { url } = await startApi(t);
  const answer = await raw(url, `GET / HTTP/1.1\r\nHost: weir\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  assert.match(answer, /^HTTP\/1\.1 431 /);
});

test('a connection that says nothing is closed after 10 s or little more', { timeout: 20_000 }, async (t) => {
  const { url } = await startApi(t);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const since = performance.now();
  assert.match(await text(socket), /^HTTP\/1\.1 408 /);
  const waited = performance.now() - since;
  assert.ok(waited > 9_500 && waited < 16_000, `${waited} ms`);
});

test('a client that is refused and does not end its side is disconnected all the same', async (t) => {
  const { url } = await startApi(t);
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  t.after(() => socket.destroy());
  socket.write('not http at all\r\n\r\n');
  let answer = '';
  for await (const text of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) answer += text;
  assert.match(answer, /^HTTP\/1\.1 400 /);
  // Both ends are in this process.
  const ends = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  const both = ends();
  await until('the other end to be gone', () => ends() === both - 1);
});

test('rubbish behind a request for a stream closes the connection without a word', async (t) => {
  const { url, relay } = await startApi(t);
  relay.watch = (request) => once(request.socket, 'close').then(() => undefined);
  const answer = await raw(url, 'GET /udp/239.1.1.1:5000 HTTP/1.1\r\nHost: weir\r\n\r\nrubbish\r\n\r\n');
  assert.equal(answer, '');
});

test('a body that nobody asked for is not read for long: its connection is closed after the answer', async (t) => {
  const { url } = await startApi(t);
  const head = 'POST /playlist.m3u HTTP/1.1\r\nHost: weir\r\n';
  assert.match(
    await raw(url, `${head}Content-Length: 1000000000\r\n\r\nx`),
    /^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s,
  );
  assert.match(
    await raw(url, `${head}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`),
    /^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s,
  );
});

test('a port in use and an address of another machine are refused with what to do', async (t) => {
  const { url, api } = await startApi(t);
  const port = Number(new URL(url).port);
  const options = await oneChannel();
  const starting = (address: string | null, wanted: number) => {
    const other = createApi({ ...options, listen: [{ address, port: wanted }] });
    t.after(() => other.stop());
    return other.start();
  };
  await assert.rejects(starting('127.0.0.1', port), {
    code: 'conflict',
    message: new RegExp(`^127\\.0\\.0\\.1:${port} is in use\\..*--listen`),
  });
  await assert.rejects(starting('192.0.2.1', 0), {
    code: 'invalid',
    message: /^192\.0\.2\.1 is not an address of this machine\..*--listen/,
  });
  await api.stop();
});

test('every listener is named, in order, with the port that the system chose', async (t) => {
  const api = createApi({
    ...(await oneChannel()),
    listen: [
      { address: null, port: 0 },
      { address: '127.0.0.2', port: 0 },
    ],
  });
  t.after(() => api.stop());
  const urls = await api.start();
  assert.match(urls[0] ?? '', /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
  assert.match(urls[1] ?? '', /^http:\/\/127\.0\.0\.2:[1-9]\d*$/);
  for (const url of urls) assert.equal((await ask(url, '/healthz')).body, 'ok\n');
});

test('stopping closes what is open, and may be asked again', async (t) => {
  const { url, api, relay } = await startApi(t);
  const watching = new Promise<void>((resolve) => {
    relay.watch = async (request) => {
      resolve();
      await once(request.socket, 'close');
    };
  });
  const waiting = raw(url, 'GET /udp/239.1.1.1:5000 HTTP/1.1\r\nHost: weir\r\n\r\n');
  const silent = raw(url, '');
  await watching;
  await api.stop();
  await api.stop();
  assert.equal(await waiting, '');
  assert.equal(await silent, '');
  await assert.rejects(ask(url, '/healthz'));
});
