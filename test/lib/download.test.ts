import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { download } from '../../src/lib/download.js';
import { WeirError } from '../../src/lib/errors.js';
import { serve } from '../support/server.js';

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

const stored = (body: Buffer) => deflateRawSync(body, { level: 0 });
for (const [name, encoding, encode] of [
  ['gzip', 'gzip', gzipSync],
  ['deflate', 'deflate', deflateSync],
  ['deflate without the wrapping of zlib', 'deflate', deflateRawSync],
  ['deflate without wrapping and compression', 'deflate', stored],
  ['br', 'br', brotliCompressSync],
] as const) {
  test(`a body in ${name} is decompressed, and its size is the decompressed one`, async (t) => {
    const body = encode(Buffer.alloc(100_000, 'a'));
    const url = await serve(t, (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));
    assert.equal((await download(url, { userAgent }))?.body.length, 100_000);
    await assert.rejects(download(url, { userAgent, maxBytes: 50_000 }), { code: 'limit-reached' });
  });
}

test('a body in deflate that is cut off or broken fails, with and without the wrapping of zlib', async (t) => {
  const text = Array.from({ length: 4000 }, (_, n) => (n * n * 7919) % 100_003).join();
  for (const whole of [deflateSync(text), deflateRawSync(text)]) {
    const half = whole.subarray(0, whole.length / 2);
    for (const body of [half, Buffer.concat([half, Buffer.alloc(whole.length, 0xff)])]) {
      const url = await serve(t, (_, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(body));
      await assert.rejects(download(url, { userAgent }), { code: 'upstream-refused', message: /body is broken/ });
    }
  }
});

test('a connection that is cut amid a body in deflate is said to be so', async (t) => {
  for (const body of [deflateSync('list'.repeat(9)), deflateRawSync('list'.repeat(9))]) {
    const url = await serve(t, (_, response) => {
      response.writeHead(200, { 'content-encoding': 'deflate', 'content-length': '1000' });
      response.write(body.subarray(0, 8), () => response.destroy());
    });
    await assert.rejects(download(url, { userAgent }), { code: 'upstream-refused', message: /cut off/ });
  }
});

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
      message: /leads to an address of this machine/,
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

test('a redirect from host to host takes along what is no secret, and back again nothing more', async (t) => {
  const seen: IncomingMessage['headers'][] = [];
  const other = await serve(t, (request, response) => {
    seen.push(request.headers);
    response.end('there');
  });
  const url = await serve(t, (request, response) => {
    seen.push(request.headers);
    response.writeHead(302, { location: `${other}/list` }).end();
  });
  const secrets = { Authorization: 'Bearer s3cret', Cookie: 'id=s3cret', 'X-Key': 's3cret' };
  const headers = { ...secrets, Referer: 'https://provider.example/', 'User-Agent': 'Set/1', Host: 'list.example' };
  assert.equal(textOf(await download(url, { userAgent, headers })), 'there');
  const [first, second] = seen;
  assert.deepEqual([first?.authorization, first?.cookie, first?.['x-key']], ['Bearer s3cret', 'id=s3cret', 's3cret']);
  assert.deepEqual([first?.host, second?.host], ['list.example', new URL(other).host]);
  assert.doesNotMatch(JSON.stringify(second), /s3cret/);
  for (const sent of seen) assert.deepEqual([sent['user-agent'], sent.referer], ['Set/1', 'https://provider.example/']);
});

test('header fields that belong to the connection stay ours, and one that cannot be sent is named without its value', async (t) => {
  const url = await serve(t, ({ headers }, response) => response.end(JSON.stringify(headers)));
  const unwanted = {
    'Accept-Encoding': 'zstd',
    'Transfer-Encoding': 'chunked',
    'Content-Length': '9',
    Range: 'bytes=0-1',
  };
  const sent = JSON.parse(textOf(await download(url, { headers: unwanted })) ?? '') as IncomingMessage['headers'];
  assert.deepEqual(Object.keys(sent).sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  assert.equal(sent['accept-encoding'], 'gzip, deflate, br');
  for (const value of ['s3cret\r\nX-Other: 1', 's3cret 央视']) {
    await assert.rejects(download(url, { headers: { 'X-Key': value } }), {
      code: 'invalid',
      message: 'The header field "X-Key" cannot be sent. Write it in plain ASCII, on one line.',
    });
  }
  await assert.rejects(download(url, { userAgent: '央视' }), {
    code: 'invalid',
    message: /"User-Agent" cannot be sent/,
  });
});

test('H10: a firewall that turns browsers away lets the user agent pass that is sent by default', async (t) => {
  const url = await serve(t, ({ headers }, response) => {
    if (/^VLC\//.test(headers['user-agent'] ?? '')) response.end('#EXTM3U\n');
    else response.writeHead(403, { 'content-type': 'text/html' }).end('<!doctype html><title>Just a moment…</title>');
  });
  assert.equal(textOf(await download(url)), '#EXTM3U\n');
  await assert.rejects(download(url, { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' }), {
    code: 'upstream-refused',
    message: 'The server answered 403.',
  });
});

test('a redirect whose body never ends is followed at once', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url === '/there') response.end('there');
    else response.writeHead(302, { location: '/there' }).write('moved');
  });
  assert.equal(textOf(await download(url)), 'there');
});

test('two servers that redirect to each other are given up', async (t) => {
  let second = '';
  const first = await serve(t, (_, response) => response.writeHead(302, { location: second }).end());
  second = await serve(t, (_, response) => response.writeHead(308, { location: first }).end());
  await assert.rejects(download(first), { message: 'More than 5 redirects.' });
});

test('a date to wait for is quoted in seconds, and nonsense is not', async (t) => {
  let field = '';
  const url = await serve(t, (_, response) => response.writeHead(503, { 'retry-after': field }).end());
  const waitOf = async (value: string) => {
    field = value;
    const error = await download(url).catch((error: unknown) => error);
    assert.ok(error instanceof WeirError && error.message === 'The server answered 503.');
    return error.retryAfter;
  };
  const seconds = await waitOf(new Date(Date.now() + 90_000).toUTCString());
  assert.ok(seconds !== null && seconds > 80 && seconds <= 90, String(seconds));
  assert.equal(await waitOf('Thu, 01 Jan 1970 00:00:00 GMT'), 0);
  assert.equal(await waitOf('9'.repeat(400)), 365 * 24 * 3600);
  assert.equal(await waitOf('soon'), null);
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
    message: 'The download failed: the connection was cut off (UND_ERR_SOCKET).',
  });
  await assert.rejects(download('http://127.0.0.1:1/', { userAgent }), {
    message: 'The download failed: the connection was refused (ECONNREFUSED).',
  });
});
