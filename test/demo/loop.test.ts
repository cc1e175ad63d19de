import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { channels } from '../../demo/channels.js';
import { type LoopPacket, playLoop, readLoop } from '../../demo/loop.js';
import { hasPayload, pcrOf, pidOf, timesOf } from '../../demo/packet.js';
import { needs } from '../support/needs.js';
import { tempDir } from '../support/temp.js';

const laps = 4;

function played(file: string): LoopPacket[] {
  const loop = readLoop(readFileSync(file));
  const packets = playLoop(loop);
  return Array.from({ length: loop.packets.length * laps }, () => packets.next().value);
}

/** The differences between neighbours, each once. */
function steps(values: readonly number[]): number[] {
  return [...new Set(values.slice(1).map((value, index) => value - (values[index] ?? 0)))];
}

for (const { name, file } of channels) {
  test(`${name} played four times counts on without a break on every PID`, () => {
    const counters = new Map<number, number>();
    for (const { bytes } of played(file)) {
      const counter = (bytes[3] ?? 0) & 15;
      const last = counters.get(pidOf(bytes));
      if (last !== undefined) assert.equal(counter, hasPayload(bytes) ? (last + 1) & 15 : last);
      counters.set(pidOf(bytes), counter);
    }
    assert.equal(counters.size, 5, 'PAT, SDT, PMT, video, audio');
  });

  test(`${name} played four times has one picture every 40 ms and an even clock across the seams`, () => {
    const packets = played(file);
    const clock = packets.flatMap(({ bytes }) => pcrOf(bytes) ?? []);
    const video = packets.find(({ bytes }) => pcrOf(bytes) !== null)?.bytes ?? new Uint8Array(188);
    const pictures = packets.filter(({ bytes }) => pidOf(bytes) === pidOf(video));
    assert.deepEqual(steps(pictures.flatMap(({ bytes }) => timesOf(bytes)?.dts ?? [])), [0.04 * 27e6]);
    assert.ok(
      steps(clock).every((step) => step > 0 && step <= 0.1 * 27e6),
      'a clock reference at least every 100 ms',
    );
    assert.ok(
      steps(packets.map(({ due }) => due)).every((step) => step >= 0),
      'due in the order of sending',
    );
  });

  test(`${name} played four times decodes whole, without a word from ffmpeg`, { skip: needs('ffmpeg') }, (t) => {
    const recording = join(tempDir(t), 'laps.mpegts');
    writeFileSync(recording, Buffer.concat(played(file).map(({ bytes }) => bytes)));
    const decode = ['-v', 'warning', '-stats_period', '60', '-progress', 'pipe:1', '-i', recording, '-f', 'null', '-'];
    const { stdout, stderr } = spawnSync('ffmpeg', decode, { encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(/.*^frame=(\d+)/ms.exec(stdout)?.[1], String(160 * laps));
  });
}

test('a recording that ends in the middle of a packet is refused', () => {
  const [channel] = channels;
  const bytes = readFileSync(channel?.file ?? '');
  assert.throws(() => readLoop(bytes.subarray(0, -1)), /not a whole number of TS packets/);
});

test('a recording without a clock reference is refused', () => {
  const packet = new Uint8Array(188);
  packet.set([0x47, 0x1f, 0xff, 0x10]);
  assert.throws(() => readLoop(packet), /no clock reference/);
});
