import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hashOfFirst, makeChannels } from '../../bench/endurance/pictures.js';
import { firstPictureIn, TsCheck } from '../../bench/endurance/ts-check.js';
import { needs } from '../support/needs.js';
import { tempDir } from '../support/temp.js';

const packet = 188;

test('the first picture of a recording is one of its own; with a packet missing it is not, and the gap is seen', {
  skip: needs('ffmpeg'),
}, async (t) => {
  const [one, other] = await makeChannels(tempDir(t), 2);
  assert.ok(one !== undefined && other !== undefined);
  const recording = readFileSync(one.file);
  const first = firstPictureIn(recording);
  assert.ok(first !== null && first.end <= first.bytes);
  const piece = recording.subarray(0, first.bytes);
  const hash = await hashOfFirst(piece);
  assert.deepEqual([one.hashes.has(hash), other.hashes.has(hash)], [true, false]);

  const middle = Math.floor(first.end / packet / 2) * packet;
  const damaged = Buffer.concat([piece.subarray(0, middle), piece.subarray(middle + packet)]);
  const seen = await hashOfFirst(damaged).catch(() => 'complained');
  assert.equal(one.hashes.has(seen), false);
  for (const [bytes, errors] of [
    [piece, 0],
    [damaged, 1],
  ] as const) {
    const check = new TsCheck();
    // In pieces that break packets.
    for (let at = 0; at < bytes.length; at += 1000) check.push(bytes.subarray(at, at + 1000));
    assert.equal(check.errors, errors);
  }
});
