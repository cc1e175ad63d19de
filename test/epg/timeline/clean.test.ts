import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanTimeline } from '../../../src/epg/timeline/clean.js';
import { airing, told } from './airings.js';

test('programmes in any order come out in the order of their starts (X25)', () => {
  const all = [airing('Noon', '12:00', '13:00'), airing('A', '10:00', '11:00'), airing('B', '11:00', '12:00')];
  assert.deepEqual(told(cleanTimeline(all)), ['A 10:00-11:00', 'B 11:00-12:00', 'Noon 12:00-13:00']);
});

test('a programme that runs into the next one ends where that one starts (X22)', () => {
  const all = [airing('A', '10:40', '12:00'), airing('B', '11:40', '13:00')];
  assert.deepEqual(told(cleanTimeline(all)), ['A 10:40-11:40', 'B 11:40-13:00']);
});

test('one programme that stands there twice, a minute apart, is one (X23)', () => {
  const all = [airing('Film', '20:00', '21:00'), airing('film ', '20:01', '21:02', 'More is said of it.')];
  const cleaned = cleanTimeline(all);
  assert.deepEqual(told(cleaned), ['film  20:00-21:00']);
  assert.equal(cleaned[0]?.content.descs?.[0]?.text, 'More is said of it.');
});

test('programmes of one title that share less than four fifths, or of two titles, are two', () => {
  const little = [airing('Film', '20:00', '21:00'), airing('Film', '20:30', '21:30')];
  assert.deepEqual(told(cleanTimeline(little)), ['Film 20:00-20:30', 'Film 20:30-21:30']);
  const other = [airing('Film', '20:00', '21:00'), airing('News', '20:01', '21:02')];
  assert.deepEqual(told(cleanTimeline(other)), ['Film 20:00-20:01', 'News 20:01-21:02']);
});

test('of two that start together the one of which more is said stays, with the end that either says', () => {
  const all = [airing('Short', '20:00', '21:00'), airing('Short', '20:00', null, 'With a description.')];
  for (const order of [all, all.toReversed()]) {
    const cleaned = cleanTimeline(order);
    assert.deepEqual(told(cleaned), ['Short 20:00-21:00']);
    assert.equal(cleaned[0]?.content.descs?.length, 1);
  }
});

test('an end that is not said, or not after the start, is the start of the next programme', () => {
  const all = [airing('A', '10:00', null), airing('B', '11:15', '11:00'), airing('C', '12:00', '13:00')];
  assert.deepEqual(told(cleanTimeline(all)), ['A 10:00-11:15', 'B 11:15-12:00', 'C 12:00-13:00']);
});

test('the last programme, and one before a gap of more than a day, lasts half an hour when no end is said', () => {
  assert.deepEqual(told(cleanTimeline([airing('A', '1:00', null), airing('B', '+2:00', null)])), [
    'A 01:00-01:30',
    'B +02:00-+02:30',
  ]);
});

test('no programme is longer than a day', () => {
  assert.deepEqual(told(cleanTimeline([airing('A', '1:00', '+5:00')])), ['A 01:00-+01:00']);
});
