import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { WeirError } from '../../../src/lib/errors.js';
import { namedClock } from '../../../src/lib/zone-clock.js';
import type { Wish } from '../../../src/model/archive.js';
import { readWish } from '../../../src/relay/catchup/spellings.js';

const start = 1_704_110_400;
const end = start + 3600;
const now = start + 86_400;

function wished(query: string, userAgent = '', at = now): Wish | null {
  return readWish(query, { now: at, zone: namedClock('Europe/Vienna'), userAgent });
}

const starts = ['utc', 'start', 'starttime', 'begin', 'playbackbegin', 'timeshift', 'archive', 's', 'UTC', 'StartTime'];
const ends = ['utcend', 'end', 'endtime', 'playbackend', 'archive_end', 'stop', 'e', 'UTCEND'];

for (const name of starts)
  test(`${name} is a start`, () => {
    assert.deepEqual(wished(`x=1&${name}=${start}&lutc=${now}`), { start, end: null });
  });
for (const name of ends)
  test(`${name} is an end`, () => {
    assert.deepEqual(wished(`${name}=${end}&start=${start}`), { start, end });
  });

/** What is behind `?`, what was asked, and the player's name. */
const asked: readonly (readonly [query: string, wish: Wish | null, userAgent?: string])[] = [
  ['playseek=20240101130000-20240101140000', { start, end }],
  ['playseek=20240101200000-20240101210000', { start, end }, 'App/1 TZ/UTC+8 (x)'],
  ['playseek=20240101173000-20240101183000', { start, end }, 'App/1 TZ/UTC+05:30'],
  ['playseek=20240101083000-', { start, end: null }, 'TZ/UTC-3:30'],
  ['playseek=20240101130000-', { start, end: null }, 'TZ/UTC+15'],
  ['playseek=20240101120000-20240101130000', { start, end }, 'TZ/UTC'],
  ['playseek=1704110400-1704114000', { start, end }, 'TZ/UTC+8'],
  ['TVDR=20240101120000GMT-20240101130000GMT', { start, end }, 'TZ/UTC+8'],
  ['playseek=20240101130000', { start, end: null }],
  ['playseek=2024-01-01T12:00:00Z-2024-01-01T13:00:00Z', { start, end }],
  ['playseek=2024-01-01T20:00:00%2B08:00-2024-01-01T21:00:00+08:00', { start, end }],
  ['playseek=2024-01-01T07:00:00-05:00-2024-01-01T08:00:00-05:00', { start, end }],
  ['playseek=20240101T120000Z-20240101T130000Z', { start, end }],
  ['playseek=2024-01-01T13:00:00-2024-01-01T14:00:00', { start, end }],
  ['start=20240101T200000%2B0800&end=20240101T210000+08', { start, end }],
  ['start=2024-01-01T12:00:00.250Z', { start: start + 0.25, end: null }],
  ['start=2024-01-01+13:00:00', { start, end: null }],
  ['utc=1704110400000&utcend=1704114000000', { start, end }],
  ['utc=1704110400.5', { start: start + 0.5, end: null }],
  ['start=2024-1-1:13-00&duration=2700', { start, end: start + 2700 }],
  ['start=2024-1-1:13-00', { start, end: null }, 'TZ/UTC+8'],
  ['start=1704110400&dur=60', { start, end: start + 60 }],
  ['start=1704110400&end=1704114000&duration=5', { start, end }],
  ['start=&utc=1704110400', { start, end: null }],
  ['s=3&archive=1&timeshift=7&e=2&utc=1704110400&utcend=1704114000', { start, end }],
  ['s=1&playseek=1704110400-1704114000', { start, end }],
  ['utc=%31704110400', { start, end: null }],
  [`utc=${start}&utcend=${start}`, { start, end: null }],
  [`utc=${start}&utcend=0`, { start, end: null }],
  [`utc=${start}&utcend=${now + 600}`, { start, end: now + 600 }],
  ['', null],
  ['token=a-b', null],
  ['utc=', null],
  ['utc=0', null],
  ['utc=-1', null],
  ['playseek=-', null],
  [`utcend=${end}`, null],
  [`lutc=${now}&offset=junk&now=x`, null],
  [`utc=${now + 299}`, null],
];
for (const [query, wish, userAgent = ''] of asked)
  test(`"${query}"${userAgent === '' ? '' : ` of ${userAgent}`} asks for ${JSON.stringify(wish)}`, () => {
    assert.deepEqual(wished(query, userAgent), wish);
  });

test('C01: of a programme that is on air, with now for its end, the end is open', () => {
  for (const late of [-120, 0, 120])
    assert.deepEqual(wished(`s=${now - 600}&e=${now + late}`), { start: now - 600, end: null });
  assert.deepEqual(wished(`s=${now - 600}&e=${now - 121}`), { start: now - 600, end: now - 121 });
});

test('C02: a start five minutes early is taken as it was sent', () => {
  assert.deepEqual(wished('playseek=20240101082500-20240101090500', 'TZ/UTC'), {
    start: start - 12_900,
    end: start - 10_500,
  });
});

test('C10, C11: the form of Xtream Codes is read in the zone of the household, padded or not, and so are seconds', () => {
  const later = 1_709_900_000;
  assert.deepEqual(wished('start=2024-3-7:9-05', '', later), { start: 1_709_798_700, end: null });
  assert.deepEqual(wished('start=2024-03-07:09-05', '', later), { start: 1_709_798_700, end: null });
  assert.deepEqual(wished('start=1704110400'), { start, end: null });
});

const wrong: readonly (readonly [query: string, said: RegExp])[] = [
  ['utc={utc}', /placeholder was left in utc=\{utc\}/],
  ['utc=$1704110400', /placeholder/],
  [`utc=${start}&title=%7Bname%7D`, /placeholder was left in title/],
  [`x=a}&utc=${start}`, /placeholder/],
  ['utc=%257Butc%257D', /placeholder/],
  ['utc=yesterday', /utc=yesterday is no time/],
  ['utc=99', /no time/],
  ['utc=12345678901', /no time/],
  ['utc=20241301000000', /no time/],
  ['utc=20240230000000', /no time/],
  ['utc=20240101240000', /no time/],
  ['playseek=20240101120000-x', /no time/],
  [`utc=${start}&utcend=x`, /utcend=x is no time/],
  [`utc=${start}&duration=an-hour`, /no length/],
  [`utc=${end}&utcend=${start}`, /the end is before utc/],
  [`utc=${now + 301}`, /has not happened yet/],
];
for (const [query, said] of wrong)
  test(`"${query}" is refused in one line`, () => {
    assert.throws(
      () => wished(query),
      (error) =>
        error instanceof WeirError &&
        error.code === 'invalid' &&
        said.test(error.message) &&
        !error.message.includes('\n'),
    );
  });

test('what was read, written in any of the spellings, is read as the same', () => {
  const instants = fc.integer({ min: 1_600_000_000, max: start });
  const names = fc.record({ from: fc.constantFrom(...starts), to: fc.constantFrom(...ends) });
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 50_000 }), names, (from, length, { from: first, to }) => {
      const wish = { start: from, end: from + length };
      assert.deepEqual(wished(`${first}=${wish.start}&${to}=${wish.end}`), wish);
      assert.deepEqual(wished(`playseek=${wish.start}-${wish.end}`), wish);
    }),
  );
});

test('whatever stands in a request, it is a wish, live, or refused', () => {
  const values = fc.stringMatching(/^[0-9TZ:+\-. %a-f{$]{0,24}$/);
  fc.assert(
    fc.property(fc.constantFrom('utc', 'playseek', 'tvdr', 'e', 'dur'), values, values, (name, value, other) => {
      try {
        const wish = wished(`${name}=${value}&utc=${other}`);
        assert.ok(wish === null || wish.start <= now);
      } catch (error) {
        assert.ok(error instanceof WeirError);
      }
    }),
    { numRuns: 2000 },
  );
});
