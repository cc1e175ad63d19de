import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { downloadTo } from '../../src/lib/download-to.js';
import { serve } from '../support/server.js';

const text = '<tv/>'.repeat(1000);

async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(Buffer.from(chunk));
  return Buffer.concat(pieces);
}

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/plain': (response) => void response.writeHead(200, { ETag: '"1"', 'Last-Modified': 'then' }).end(text),
  '/gzip': (response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(text)),
  '/br': (response) => void response.writeHead(200, { 'Content-Encoding': 'br' }).end(brotliCompressSync(text)),
  '/deflate': (response) => void response.writeHead(200, { 'Content-Encoding': 'deflate' }).end(deflateSync(text)),
  '/raw': (response) => void response.writeHead(200, { 'Content-Encoding': 'deflate' }).end(deflateRawSync(text)),
  '/short': (response) => {
    response.writeHead(200, { 'Content-Length': '10000' });
    response.write(text, () => response.destroy());
  },
  '/chunked': (response) => {
    response.writeHead(200);
    response.write(text, () => response.destroy());
  },
  '/busy': (response) => void response.writeHead(503, { 'Retry-After': '90' }).end(),
};

const answer = (request: IncomingMessage, response: ServerResponse) => {
  if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
  else answers[request.url ?? '']?.(response);
};

test('a body is given away as it comes; packed with gzip it stays so, other packing is undone', async (t) => {
  const base = await serve(t, answer);
  const get = (path: string) => downloadTo(`${base}${path}`, { maxBytes: 10_000 }, gather);
  const plain = await get('/plain');
  assert.deepEqual([plain?.kept.toString(), plain?.etag, plain?.lastModified], [text, '"1"', 'then']);
  assert.deepEqual((await get('/gzip'))?.kept, gzipSync(text));
  assert.equal((await get('/br'))?.kept.toString(), text);
  assert.equal((await get('/deflate'))?.kept.toString(), text);
  assert.equal((await get('/raw'))?.kept.toString(), text);
});

test('nothing is given away of what is the copy at hand still', async (t) => {
  const base = await serve(t, answer);
  const sink = () => Promise.reject(new Error('asked for'));
  assert.equal(await downloadTo(`${base}/plain`, { maxBytes: 10_000, etag: '"1"' }, sink), null);
});

test('a body that ends before it should, is too large or is none fails', async (t) => {
  const base = await serve(t, answer);
  const get = (path: string, maxBytes = 10_000) => downloadTo(`${base}${path}`, { maxBytes }, gather);
  await assert.rejects(get('/short'), { code: 'upstream-refused', message: /cut off/ });
  await assert.rejects(get('/chunked'), { code: 'upstream-refused', message: /cut off/ });
  await assert.rejects(get('/plain', 4999), { code: 'limit-reached' });
  await assert.rejects(get('/chunked', 100), { code: 'limit-reached' });
  await assert.rejects(get('/busy'), { code: 'upstream-refused', retryAfter: 90, message: 'The server answered 503.' });
});
