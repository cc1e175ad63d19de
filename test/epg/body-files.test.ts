import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openBodyFiles } from '../../src/epg/body-files.js';
import { tempDir } from '../support/temp.js';

const text = '<tv><programme start="20240101" channel="a"><title>A</title></programme></tv>';

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  await Promise.resolve();
}

/** A gzip file whose header says when, from which file, and why it was made. */
function gzipOf(body: string, { time, name }: { time: number; name: string }): Buffer {
  const packed = gzipSync(body);
  const header = Buffer.from([0x1f, 0x8b, 8, 4 | 8 | 16 | 2, 0, 0, 0, 0, 0, 3]);
  header.writeUInt32LE(time, 4);
  const extra = Buffer.from([3, 0, 1, 2, 3]);
  return Buffer.concat([header, extra, Buffer.from(`${name}\0why\0`), Buffer.from([9, 9]), packed.subarray(10)]);
}

test('a packed body is kept as it came, a plain one packed', async (t) => {
  const dir = tempDir(t);
  const bodies = openBodyFiles(dir);
  const gzip = gzipSync(text);
  const one = await bodies.keep(1, pieces(gzip, 7));
  assert.deepEqual(readFileSync(bodies.path(one.file)), gzip);
  const other = await bodies.keep(1, pieces(Buffer.from(text), 7));
  const kept = readFileSync(bodies.path(other.file));
  assert.equal(gunzipSync(kept).toString(), text);
  assert.notEqual(one.file, other.file);
  const nothing = await bodies.keep(2, pieces(Buffer.alloc(0), 1));
  assert.equal(gunzipSync(readFileSync(bodies.path(nothing.file))).length, 0);
});

test('the same payload has the same hash under another gzip header and in other pieces, another has another', async (t) => {
  const bodies = openBodyFiles(tempDir(t));
  const hash = async (bytes: Uint8Array, size: number) => (await bodies.keep(1, pieces(bytes, size))).hash;
  const expected = await hash(gzipOf(text, { time: 1, name: 'a' }), 1000);
  for (const size of [1, 2, 11, 17, 1000])
    assert.equal(await hash(gzipOf(text, { time: 77, name: 'guide-of-today.xml' }), size), expected);
  assert.equal(await hash(gzipSync(text), 1000), expected, 'a header without anything');
  assert.notEqual(await hash(gzipSync(`${text}\n`), 1000), expected);
  assert.equal(await hash(Buffer.from(text), 3), await hash(Buffer.from(text), 1000));
});

test('a body that breaks off is not kept, and what nobody names is swept away once it was let go', async (t) => {
  const dir = tempDir(t);
  const bodies = openBodyFiles(dir);
  const list = () => readdirSync(join(dir, 'guides')).sort();
  async function* broken() {
    yield Buffer.from(text);
    await Promise.reject(new Error('cut off'));
  }
  await assert.rejects(bodies.keep(1, broken()), /cut off/);
  assert.deepEqual(list(), []);
  const a = await bodies.keep(1, pieces(Buffer.from(text), 9));
  const b = await bodies.keep(1, pieces(Buffer.from(text), 9));
  await bodies.sweep([]);
  assert.deepEqual(list(), [a.file, b.file].sort());
  bodies.letGo(a.file);
  bodies.letGo(b.file);
  await bodies.sweep([b.file]);
  assert.deepEqual(list(), [b.file]);
});
