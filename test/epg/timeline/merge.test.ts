import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeTimeline, type TimelineSource } from '../../../src/epg/timeline/merge.js';
import type { Programme } from '../../../src/model/programme.js';
import { airing, at, day, told } from './airings.js';

const options = { from: day, to: day + 86_400, placeholder: null, name: 'News' };
const source = (guideSource: number, programmes: readonly Programme[], shift = 0): TimelineSource => {
  return { guideSource, guideId: `id${guideSource}`, shift, programmes };
};

test('gaps of the first guide are filled from the next ones, in turn, and each item says whence it is', () => {
  const merged = mergeTimeline(
    [
      source(1, [airing('A', '10:00', '11:00'), airing('B', '14:00', '15:00')]),
      source(2, [airing('C', '11:00', '12:00'), airing('not', '10:30', '11:30')]),
      source(3, [airing('D', '12:00', '13:00'), airing('not', '11:00', '12:00'), airing('E', '15:00', '16:00')]),
    ],
    options,
  );
  assert.deepEqual(told(merged), [
    ...['A 10:00-11:00', 'C 11:00-12:00', 'D 12:00-13:00', 'B 14:00-15:00', 'E 15:00-16:00'],
  ]);
  assert.deepEqual(
    merged.map(({ from }) => [from?.guideSource, from?.guideId]),
    [1, 2, 3, 1, 3].map((id) => [id, `id${id}`]),
  );
});

test('what fills a gap is trimmed when less than a tenth of it does not fit, else left out', () => {
  const first = source(1, [airing('A', '10:00', '11:00'), airing('B', '13:00', '14:00')]);
  const trimmed = mergeTimeline([first, source(2, [airing('C', '10:55', '13:00')])], options);
  assert.deepEqual(told(trimmed), ['A 10:00-11:00', 'C 11:00-13:00', 'B 13:00-14:00']);
  const left = mergeTimeline([first, source(2, [airing('C', '10:45', '13:00')])], options);
  assert.deepEqual(told(left), ['A 10:00-11:00', 'B 13:00-14:00']);
});

test('less than five minutes between two programmes is no gap', () => {
  const first = source(1, [airing('A', '10:00', '10:56'), airing('B', '11:00', '12:00')]);
  assert.deepEqual(told(mergeTimeline([first, source(2, [airing('C', '10:56', '11:00')])], options)), [
    'A 10:00-10:56',
    'B 11:00-12:00',
  ]);
});

test('the shift of a guide is added to its times, also across midnight, and before its gaps are filled', () => {
  const late = source(1, [airing('A', '10:00', '11:00'), airing('B', '+1:00', null)], -19_800);
  assert.deepEqual(told(mergeTimeline([late, source(2, [airing('C', '10:00', '11:00')])], options)), [
    ...['A 04:30-05:30', 'C 10:00-11:00', 'B 19:30-20:00'],
  ]);
});

test('placeholders fill what no guide has, on the grid of their minutes, and say the name of the channel', () => {
  const placeholder = { minutes: 120, title: '{name}: no guide' };
  const merged = mergeTimeline([source(1, [airing('A', '11:57', '13:10')])], {
    ...options,
    placeholder,
    from: at('9:00'),
    to: at('16:00'),
  });
  assert.deepEqual(told(merged), [
    ...['News: no guide 08:00-10:00', 'News: no guide 10:00-11:57', 'A 11:57-13:10'],
    ...['News: no guide 13:10-14:00', 'News: no guide 14:00-16:00'],
  ]);
  assert.deepEqual(
    merged.map(({ from }) => from === null),
    [true, true, false, true, true],
  );
});

test('no block of a placeholder is shorter than five minutes', () => {
  const placeholder = { minutes: 60, title: 'no guide' };
  const first = source(1, [airing('A', '10:00', '10:57'), airing('B', '13:02', '14:00')]);
  const window = { from: at('10:30'), to: at('13:30') };
  assert.deepEqual(told(mergeTimeline([first], { ...options, ...window, placeholder })), [
    ...['A 10:00-10:57', 'no guide 10:57-12:00', 'no guide 12:00-13:02', 'B 13:02-14:00'],
  ]);
});

test('a block whose end is moved to the end of its gap begins where it always does, also when the window begins behind that', () => {
  const placeholder = { minutes: 60, title: 'no guide' };
  const first = source(1, [airing('B', '13:02', '14:00')]);
  const window = { from: at('13:00'), to: at('13:30') };
  assert.deepEqual(told(mergeTimeline([first], { ...options, ...window, placeholder })), [
    ...['no guide 12:00-13:02', 'B 13:02-14:00'],
  ]);
});

test('items that overlap the window are whole, others are not shown', () => {
  const first = source(1, [airing('A', '9:00', '10:00'), airing('B', '10:00', '12:00'), airing('C', '12:00', '13:00')]);
  assert.deepEqual(told(mergeTimeline([first], { ...options, from: at('11:00'), to: at('12:00') })), ['B 10:00-12:00']);
});
