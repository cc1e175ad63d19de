import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pcrOf, shiftPcr, shiftTimes, timesOf } from '../../demo/packet.js';

const clockLimit = 2 ** 33 * 300;
const ticks = fc.nat({ max: clockLimit - 1 });
const base = fc.nat({ max: 2 ** 33 - 1 }).map((value) => value * 300);

/** The beginning of a PES packet behind a clock reference, all clocks 0. */
function pictureStart(): Uint8Array {
  const packet = new Uint8Array(188).fill(0xff);
  packet.set([0x47, 0x41, 0x00, 0x30, 7, 0x10, 0, 0, 0, 0, 0x7e, 0]);
  packet.set([0, 0, 1, 0xe0, 0, 0, 0x80, 0xc0, 10, 0x31, 0, 1, 0, 1, 0x11, 0, 1, 0, 1], 12);
  return packet;
}

test('a shifted clock reference reads as the sum, modulo its 33 bits of 90 kHz', () => {
  fc.assert(
    fc.property(ticks, ticks, (first, second) => {
      const packet = pictureStart();
      shiftPcr(packet, first);
      assert.equal(pcrOf(packet), first);
      shiftPcr(packet, second);
      assert.equal(pcrOf(packet), (first + second) % clockLimit);
    }),
  );
});

test('shifted presentation and decoding times read as the sum, modulo 33 bits, and leave everything else as it was', () => {
  fc.assert(
    fc.property(base, base, (first, second) => {
      const packet = pictureStart();
      shiftTimes(packet, first);
      shiftTimes(packet, second);
      const sum = (first + second) % clockLimit;
      assert.deepEqual(timesOf(packet), { pts: sum, dts: sum });
      shiftTimes(packet, clockLimit - sum);
      assert.deepEqual(packet, pictureStart());
    }),
  );
});

test('a packet that begins no PES packet has no times, and shifting leaves it as it was', () => {
  const packet = pictureStart();
  packet[1] = 0x01;
  const before = packet.slice();
  shiftTimes(packet, 27_000_000);
  assert.equal(timesOf(packet), null);
  assert.deepEqual(packet, before);
});
