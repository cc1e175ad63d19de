import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { decompressed } from '../../src/lib/decompress.js';
import { lent } from '../../src/lib/lent.js';
import { tempDir } from '../support/temp.js';

test('a piece is whole until the next one is asked for, and its memory is gone when one of another buffer came', async () => {
  const buffers = [new Uint8Array(100_000).fill(1), new Uint8Array(100_000).fill(2)];
  const [one = new Uint8Array(), other = new Uint8Array()] = buffers;
  const seen: unknown[] = [];
  const pieces = [one.subarray(0, 10), one.subarray(10), other];
  for await (const piece of lent(asIs(pieces)))
    seen.push([piece.length, piece[0], piece.at(-1), one.length, other.length]);
  assert.deepEqual(seen, [
    [10, 1, 1, 100_000, 100_000],
    [99_990, 1, 1, 100_000, 100_000],
    [100_000, 2, 2, 0, 100_000],
  ]);
});

test('what lies in the pool of small buffers stays', async () => {
  const pieces = [Buffer.from('one'), Buffer.from('other'), Buffer.alloc(100_000)];
  for await (const piece of lent(asIs(pieces))) assert.ok(piece.length > 0);
  assert.deepEqual(pieces.slice(0, 2).map(String), ['one', 'other']);
});

test('a guide that is packed twice comes out whole where both the file and what is unpacked of it are lent', async (t) => {
  const path = join(tempDir(t), 'guide.gz.gz');
  const text = Array.from({ length: 40_000 }, (_, index) => createHash('sha256').update(`${index}`).digest('hex')).join(
    '',
  );
  writeFileSync(path, gzipSync(gzipSync(text)));
  const hash = createHash('sha256');
  const file = createReadStream(path, { highWaterMark: 64 * 1024 });
  for await (const piece of decompressed(lent(file), { maxBytes: 10_000_000 })) hash.update(piece);
  assert.equal(hash.digest('hex'), createHash('sha256').update(text).digest('hex'));
});

async function* asIs(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}
