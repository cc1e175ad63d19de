import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockRange, normalRange, readRange } from '../../../src/relay/rtsp/range.js';

test('ranges of both units are read, with and without an end', () => {
  for (const [text, duration, clock] of [
    ['npt=0-5400.5', 5400.5, null],
    ['npt=0.000-  59.96', 59.96, null],
    ['npt=10-0:01:30', 80, null],
    ['NPT=1:00:00-1:30:00.5;time=20240101T000000Z', 1800.5, null],
    ['npt=-30', 30, null],
    ['npt=0-', null, null],
    ['npt=now-', null, null],
    ['npt=5-5', null, null],
    ['clock=20240101T120000Z-20240101T130000Z', null, [1704110400, 1704114000]],
    ['clock=20240101T120000.25Z-', null, [1704110400.25, null]],
  ] as const) {
    assert.deepEqual(readRange(text), { duration, clock }, text);
  }
  for (const text of ['smpte=0:00:00-', 'npt', 'clock=yesterday-', '']) assert.equal(readRange(text), null, text);
});

test('what is asked for is written in whole seconds of UTC, or in seconds', () => {
  assert.equal(clockRange(1704110400.9), 'clock=20240101T120000Z-');
  assert.deepEqual(readRange(clockRange(1709210096)), { duration: null, clock: [1709210096, null] });
  assert.equal(normalRange(30), 'npt=30-');
  assert.equal(normalRange(12.3456), 'npt=12.346-');
});
