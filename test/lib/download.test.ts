import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { download } from '../../src/lib/download.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on loopback; resolves with its address. */
async function serve(t: TestContext, handler: Handler): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const userAgent = 'Weir/test';
const textOf = (answer: Awaited<ReturnType<typeof download>>) => answer && Buffer.from(answer.body).toString();

test('a body comes with its validators, and they are sent back', async (t) => {
  const seen: IncomingMessage['headers'][] = [];
  const url = await serve(t, (request, response) => {
    seen.push(request.headers);
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else response.writeHead(200, { etag: '"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }).end('list');
  });
  const first = await download(url, { userAgent });
  assert.deepEqual([textOf(first), first?.etag, first?.lastModified], ['list', '"1"', 'Thu, 01 Jan 2026 00:00:00 GMT']);
  assert.equal(await download(url, { userAgent, etag: '"1"', lastModified: first?.lastModified ?? null }), null);
  assert.equal(seen[1]?.['if-modified-since'], 'Thu, 01 Jan 2026 00:00:00 GMT');
  assert.equal(seen[0]?.['user-agent'], userAgent);
});

for (const [encoding, encode] of Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync })) {
  test(`a body in ${encoding} is decompressed, and its size is the decompressed one`, async (t) => {
    const body = encode(Buffer.alloc(100_000, 'a'));
    const url = await serve(t, (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));
    assert.equal((await download(url, { userAgent }))?.body.length, 100_000);
    await assert.rejects(download(url, { userAgent, maxBytes: 50_000 }), { code: 'limit-reached' });
  });
}

test('five redirects are followed, six are not', async (t) => {
  const url = await serve(t, (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end('there');
    else response.writeHead(302, { location: `/${left - 1}` }).end('moved');
  });
  assert.equal(textOf(await download(`${url}/5`, { userAgent })), 'there');
  await assert.rejects(download(`${url}/6`, { userAgent }), {
    code: 'upstream-refused',
    message: 'More than 5 redirects.',
  });
});

test('a redirect to this machine is not followed, by address or by name', async (t) => {
  let reached = false;
  const inner = await serve(t, (_, response) => {
    reached = true;
    response.end('secret');
  });
  const named = inner.replace('127.0.0.1', 'localhost');
  for (const [from, to] of [
    ['localhost', inner],
    ['127.0.0.1', named],
  ] as const) {
    const url = await serve(t, (_, response) => response.writeHead(301, { location: to }).end());
    await assert.rejects(download(url.replace('127.0.0.1', from), { userAgent }), {
      message: /redirects to an address of this machine/,
    });
  }
  assert.equal(reached, false);
});

test('a redirect to another scheme is refused', async (t) => {
  const url = await serve(t, (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end());
  await assert.rejects(download(url, { userAgent }), { message: /not http or https/ });
});

test('credentials go to their own origin as basic authorisation, and into no message', async (t) => {
  const seen: (string | undefined)[] = [];
  const other = await serve(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(403).end();
  });
  const url = await serve(t, (request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(302, { location: `${other}/?password=s3cret` }).end();
  });
  await assert.rejects(download(url.replace('//', '//me:s3cret%21@'), { userAgent }), (error: Error) => {
    assert.equal(error.message, 'The server answered 403.');
    return true;
  });
  assert.deepEqual(seen, [`Basic ${Buffer.from('me:s3cret!').toString('base64')}`, undefined]);
});

test('M34: a server that asks to wait is quoted with its seconds', async (t) => {
  const url = await serve(t, (_, response) => response.writeHead(429, { 'retry-after': '30' }).end());
  await assert.rejects(download(url, { userAgent }), {
    code: 'upstream-refused',
    message: 'The server answered 429.',
    retryAfter: 30,
  });
});

test('an answer that does not end in time is given up', async (t) => {
  const url = await serve(t, (_, response) => response.writeHead(200).write('begun'));
  await assert.rejects(download(url, { userAgent, timeout: 100 }), {
    code: 'upstream-timeout',
    message: 'No whole answer within 0.1 s.',
  });
});

test('a refused connection and a broken answer are told by their code', async (t) => {
  const url = await serve(t, (request) => request.socket.destroy());
  await assert.rejects(download(url, { userAgent }), {
    code: 'upstream-refused',
    message: /^The download failed: [A-Z_]+\.$/,
  });
  await assert.rejects(download('http://127.0.0.1:1/', { userAgent }), {
    message: 'The download failed: ECONNREFUSED.',
  });
});
