import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fixedClock, utc } from '../../../src/lib/zone-clock.js';
import { readSeek, readSeekMode, readSeekOffset, writeSeek } from '../../../src/relay/rtsp/seek.js';

const instant = fc.integer({ min: 100_000_000, max: 4_000_000_000 });
const iso = (epoch: number) => new Date(epoch * 1000).toISOString().replace(/\.000Z$/, '');
const forms: readonly ((epoch: number) => string)[] = [
  (epoch) => `${epoch}`,
  (epoch) => iso(epoch).replace(/[-:T]/g, ''),
  (epoch) => `${iso(epoch).replace(/[-:T]/g, '')}GMT`,
  (epoch) => iso(epoch).replace(/[-:]/g, ''),
  (epoch) => `${iso(epoch).replace(/[-:]/g, '')}Z`,
  (epoch) => iso(epoch),
  (epoch) => `${iso(epoch)}.123Z`,
  (epoch) => `${iso(epoch + 20_700)}+05:45`,
];

test('a range in any form keeps its form when it is moved, and is as much later as was said', () =>
  fc.assert(
    fc.property(
      instant,
      instant,
      fc.constantFrom(...forms),
      fc.integer({ min: 0, max: 86_400 }),
      (one, two, form, by) => {
        const seek = readSeek(`${form(one)}-${form(two)}`, utc);
        assert.deepEqual([Math.floor(seek?.begin.epoch ?? -1), Math.floor(seek?.end?.epoch ?? -1)], [one, two]);
        assert.equal(seek && writeSeek(seek, [by, -by]), `${form(one + by)}-${form(two - by)}`);
      },
    ),
  ));

test('a time without a zone is read by the clock that is given, and written in UTC', () => {
  const seek = readSeek('20240101200000-2024-01-01T21:00:00', fixedClock(28_800));
  assert.deepEqual([seek?.begin.epoch, seek?.end?.epoch], [1704110400, 1704114000]);
  assert.equal(seek && writeSeek(seek, [0, 0]), '20240101120000-2024-01-01T13:00:00');
});

test('what is no time is none, and whatever is written nothing breaks', () => {
  for (const text of [
    '',
    '-',
    '20241301000000',
    '20240230000000',
    '20240101250000',
    '00500101000000',
    'now',
    '12345678901',
  ]) {
    assert.equal(readSeek(text, utc), null, text);
  }
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-+:.TZGM ') }), (text) => {
      const seek = readSeek(text, utc);
      if (seek !== null) assert.ok(writeSeek(seek, [3600, 3600]) !== '');
    }),
  );
});

test('an offset is seconds for both or for each, and what is no such thing is none', () => {
  const cases = [
    ['3600', [3600, 3600]],
    ['12,-12', [12, -12]],
    ['+5', [5, 5]],
    ['', [0, 0]],
    ['1.5', [0, 0]],
    ['1,2,3', [0, 0]],
    ['0,400000000', [0, 0]],
  ] as const;
  for (const [text, offset] of cases) assert.deepEqual(readSeekOffset(text), offset, text);
});

test('a mode is a clock and a window; what nobody knows asks in the address', () => {
  const cases = [
    ['range', null, 3600],
    ['range()', null, 3600],
    ['range(UTC)', 0, 3600],
    ['range(UTC+8)', 28_800, 3600],
    ['RANGE(UTC-5/7200)', -18_000, 7200],
    ['range(/60)', null, 60],
    ['range(86400)', null, 86_400],
  ] as const;
  for (const [text, east, within] of cases) {
    const mode = readSeekMode(text);
    assert.deepEqual([mode?.clock?.toLocal(0) ?? null, mode?.within], [east, within], text);
  }
  for (const text of [
    '',
    'passthrough',
    'range(0)',
    'range(86401)',
    'range(Mars)',
    'range(UTC+15)',
    'range(',
    'ranger',
  ]) {
    assert.equal(readSeekMode(text), null, text);
  }
});
