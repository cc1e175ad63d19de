import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inBlocks, writeBlocks } from '../../src/lib/write-blocks.js';
import { tempDir } from '../support/temp.js';

/** Bytes of which each tells where it stands. */
const bytes = Uint8Array.from({ length: 3_000_001 }, (_, index) => (index * 2_654_435_761) >>> 16);

async function* pieces(size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.slice(at, at + size));
}

test('pieces smaller and larger than a block stand in the file in their order, for its owner alone', async (t) => {
  const path = join(tempDir(t), 'body');
  for (const size of [1000, 65_536, 512 * 1024, bytes.length]) {
    await writeBlocks(path, inBlocks(pieces(size)));
    assert.ok(readFileSync(path).equals(bytes), `in pieces of ${size}`);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }
});

test('what fails where the pieces come from is thrown', async (t) => {
  async function* broken() {
    yield* pieces(1_000_000);
    throw new Error('cut off');
  }
  await assert.rejects(writeBlocks(join(tempDir(t), 'body'), inBlocks(broken())), /^Error: cut off$/);
});

test('a file that cannot be written is told', async (t) => {
  await assert.rejects(writeBlocks(join(tempDir(t), 'missing', 'body'), inBlocks(pieces(1000))), { code: 'ENOENT' });
});
