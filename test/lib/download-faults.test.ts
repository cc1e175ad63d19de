import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { download } from '../../src/lib/download.js';
import { startGarbageServer } from '../support/garbage-server.js';
import { pour, serve, serveRaw } from '../support/server.js';

const megabyte = 1024 * 1024;

/** How many bytes the resident memory of this process grows at most while something is done. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  await work().finally(() => clearInterval(timer));
  return Math.max(most, process.memoryUsage.rss()) - before;
}

const maxBytes = 48 * megabyte;
const tooLarge = { code: 'limit-reached', message: 'It is larger than 48 MB.' };

/** A server of garbage, after a first small helping: what the client itself takes up has been taken. */
async function garbage(owner: TestContext): Promise<string> {
  const url = await startGarbageServer(owner);
  await assert.rejects(download(`${url}/unsaid`, { maxBytes: 4 * megabyte }), { code: 'limit-reached' });
  return url;
}

test('200 MB of garbage are refused, at once where their length is said, and take less than 100 MB of memory', async (t) => {
  const url = await garbage(t);
  for (const [path, most] of [
    ['/said', 10],
    ['/unsaid', 60],
    ['/unsaid', 60],
  ] as const) {
    const growth = await growthOf(() => assert.rejects(download(url + path, { maxBytes }), tooLarge));
    assert.ok(growth < 100 * megabyte, `${path}: ${growth / megabyte} MB of memory`);
    const taken = Number(Buffer.from((await download(`${url}/taken`))?.body ?? []).toString());
    assert.ok(taken < most * megabyte, `${path}: ${taken} bytes were sent`);
  }
});

test('a gzip bomb of 10 GB is refused, and takes less than 100 MB of memory', async (t) => {
  const url = await garbage(t);
  const growth = await growthOf(() => assert.rejects(download(`${url}/bomb`, { maxBytes }), tooLarge));
  assert.ok(growth < 100 * megabyte, `${growth / megabyte} MB of memory`);
});

test('a compressed body without end, of which nothing is left when it is decompressed, is refused', async (t) => {
  const url = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    void pour(response, Buffer.concat(Array.from({ length: 3000 }, () => gzipSync(''))), 100 * megabyte);
  });
  await assert.rejects(download(url, { maxBytes: megabyte }), { code: 'limit-reached' });
});

test('a body in pieces of one byte comes whole', async (t) => {
  const url = await serveRaw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    const piece = Buffer.alloc(6 * 10_000, '1\r\nx\r\n');
    void pour(socket, piece, 20 * piece.length).then(() => socket.end('0\r\n\r\n'));
  });
  const answer = await download(url);
  assert.equal(answer?.body.length, 200_000);
  assert.ok(answer?.body.every((byte) => byte === 120));
});

const cut = { code: 'upstream-refused', message: /^The download failed: the connection was cut off \([A-Z_]+\)\.$/ };

for (const [what, head] of [
  ['with a length', 'Content-Length: 1000\r\n\r\nhalf'],
  ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n64\r\nhalf'],
  [
    'compressed in chunks',
    'Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n\x1f\x8b\b\0\0\0\0\0\0\x03',
  ],
] as const) {
  for (const how of ['end', 'resetAndDestroy'] as const) {
    test(`a body ${what} that is cut in the middle by ${how === 'end' ? 'an end' : 'a reset'} is no list`, async (t) => {
      const url = await serveRaw(t, (socket) =>
        socket.write(`HTTP/1.1 200 OK\r\n${head}`, 'latin1', () => socket[how]()),
      );
      await assert.rejects(download(url), cut);
    });
  }
}

test('a compressed body that ends too early, or is none, is told from one that was cut', async (t) => {
  const whole = gzipSync(Buffer.from('#EXTM3U\n'.repeat(1000)));
  for (const body of [whole.subarray(0, whole.length / 2), Buffer.from('#EXTM3U')]) {
    const url = await serve(t, (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body));
    await assert.rejects(download(url), {
      message: /^The download failed: the compressed body is broken \(Z_\w+\)\.$/,
    });
  }
});

test('a body that drips is given up when the time is over, a silent server before', async (t) => {
  const url = await serve(t, (request, response) => {
    response.writeHead(200).write('begun');
    if (request.url === '/silent') return;
    const drip = setInterval(() => response.write('.'), 20);
    response.once('close', () => clearInterval(drip));
  });
  await assert.rejects(download(`${url}/drip`, { timeout: 300 }), {
    code: 'upstream-timeout',
    message: 'No whole answer within 0.3 s.',
  });
  await assert.rejects(download(`${url}/silent`, { idle: 300 }), {
    code: 'upstream-timeout',
    message: 'The server has fallen silent.',
  });
});

test('header fields without end, and what is not HTTP, are refused', async (t) => {
  const endless = await serveRaw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    void pour(socket, Buffer.from(`X-More: ${'a'.repeat(1000)}\r\n`), 100 * megabyte);
  });
  await assert.rejects(download(endless), { message: /: the head of the answer is larger than 16 kB \(\w+\)\.$/ });
  const other = await serveRaw(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
  await assert.rejects(download(other), { message: /: the server does not speak HTTP \(\w+\)\.$/ });
});

test('interim answers without end are given up when the time is over', async (t) => {
  const url = await serveRaw(t, (socket) => {
    void pour(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'), Number.MAX_SAFE_INTEGER);
  });
  await assert.rejects(download(url, { timeout: 300 }), { code: 'upstream-timeout' });
});

test('what breaks a download off says so', async (t) => {
  const url = await serve(t, (_, response) => response.writeHead(200).write('begun'));
  const stopping = new AbortController();
  const broken = download(url, { signal: stopping.signal });
  stopping.abort();
  await assert.rejects(broken, { message: 'The download was broken off.' });
});
