import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFastTime } from '../../../../src/epg/read/time/fast-time.js';
import { readTime } from '../../../../src/epg/read/time/read-time.js';
import { zoneClock } from '../../../../src/lib/zone-clock.js';
import { readAsJellyfin, readAsKodi } from '../../../support/readers/xmltv-times.js';

const utc = zoneClock(null);

function iso(text: string, zone: string | null = null, after?: string): string | null {
  const time = readTime(text, zoneClock(zone), after === undefined ? undefined : Date.parse(after) / 1000);
  return time === null ? null : new Date(time * 1000).toISOString().replace(/(?::00)?\.000Z$/, 'Z');
}

/** Forms that are met, and what they mean. */
const forms: Readonly<Record<string, string | null>> = {
  '20240101120000 +0000': '2024-01-01T12:00Z',
  '20240101120000 +0530': '2024-01-01T06:30Z',
  '20240101120000 -0030': '2024-01-01T12:30Z',
  '20240101120000+0100': '2024-01-01T11:00Z',
  '20240101120000': '2024-01-01T12:00Z',
  '20240101120000Z': '2024-01-01T12:00Z',
  '20240101120000 Z': '2024-01-01T12:00Z',
  '20240101120000 +01:00': '2024-01-01T11:00Z',
  '20240101120000 +05:30': '2024-01-01T06:30Z',
  '20240101120000 BST': '2024-01-01T11:00Z',
  '20240101120000 CET': '2024-01-01T11:00Z',
  '20240101120000 cest': '2024-01-01T10:00Z',
  '20240101120000 EST': '2024-01-01T17:00Z',
  '20240101120000 EDT': '2024-01-01T16:00Z',
  '20240101120000 MSK': '2024-01-01T09:00Z',
  '20240101120000 XYZ': '2024-01-01T12:00Z',
  '20240101120000 UTC+1': '2024-01-01T11:00Z',
  '20240101120000 GMT-03:30': '2024-01-01T15:30Z',
  '20240101120000 +1': '2024-01-01T11:00Z',
  '20240101120000 +100': '2024-01-01T11:00Z',
  '20240101120000 +10': '2024-01-01T02:00Z',
  '20240701120000 Europe/Berlin': '2024-07-01T10:00Z',
  '20240101120000 Europe/Nowhere': '2024-01-01T12:00Z',
  '202401011200': '2024-01-01T12:00Z',
  '202401011200 +0100': '2024-01-01T11:00Z',
  '2024010112': '2024-01-01T12:00Z',
  '20240101': '2024-01-01T00:00Z',
  '202401': '2024-01-01T00:00Z',
  '2024': '2024-01-01T00:00Z',
  '20240101120000.000 +0000': '2024-01-01T12:00Z',
  '2024-01-01T12:00:00Z': '2024-01-01T12:00Z',
  '2024-01-01T12:00:00.123+01:00': '2024-01-01T11:00Z',
  '2024-01-01 12:00:00 +0100': '2024-01-01T11:00Z',
  '2024-01-01T12:00': '2024-01-01T12:00Z',
  '2024-01-01': '2024-01-01T00:00Z',
  '20240101T120000Z': '2024-01-01T12:00Z',
  '20240101 120000 +0000': '2024-01-01T12:00Z',
  '1704110400': '2024-01-01T12:00Z',
  '1704110400000': '2024-01-01T12:00Z',
  '20240101240000 +0000': '2024-01-02T00:00Z',
  ' 20240101120000 +0000\n': '2024-01-01T12:00Z',
  '': null,
  ' ': null,
  now: null,
  '20241301120000': null,
  '20240230120000': null,
  '20240101250000': null,
  '20240101240100': null,
  '20240101126000': null,
  '20240101120000 +9999': null,
  '20240101120000 +01:00:00': null,
  '2024010': null,
  '-1704110400': null,
  '17041104': null,
};

for (const [text, expected] of Object.entries(forms)) {
  test(`"${text}" is ${expected ?? 'no time'}`, () => {
    assert.equal(iso(text), expected);
  });
}

test('a date of eight digits is a day, not seconds since 1970, and ten digits are an hour where they can be', () => {
  assert.equal(iso('20240101'), '2024-01-01T00:00Z');
  assert.equal(iso('2024023012'), new Date(2_024_023_012_000).toISOString().replace('.000Z', 'Z'));
});

test('the zone of this machine plays no part', () => {
  const { env } = process as { readonly env: { TZ?: string } };
  const before = env.TZ;
  env.TZ = 'Asia/Tokyo';
  try {
    assert.equal(new Date(0).getHours(), 9);
    assert.equal(iso('20240101120000'), '2024-01-01T12:00Z');
    assert.equal(iso('20240701120000', 'Europe/Berlin'), '2024-07-01T10:00Z');
  } finally {
    if (before === undefined) delete env.TZ;
    else env.TZ = before;
  }
});

type Change = { readonly zone: string; readonly local: string; readonly first: string; readonly second: string };

/** Clocks put back: the hour comes twice. */
const twice: readonly Change[] = [
  { zone: 'Europe/Berlin', local: '20241027023000', first: '2024-10-27T00:30Z', second: '2024-10-27T01:30Z' },
  { zone: 'America/New_York', local: '20241103013000', first: '2024-11-03T05:30Z', second: '2024-11-03T06:30Z' },
  { zone: 'Australia/Sydney', local: '20240407023000', first: '2024-04-06T15:30Z', second: '2024-04-06T16:30Z' },
  { zone: 'Australia/Lord_Howe', local: '20240407014500', first: '2024-04-06T14:45Z', second: '2024-04-06T15:15Z' },
];

for (const { zone, local, first, second } of twice) {
  test(`in the hour that comes twice in ${zone} the first is meant, unless it is not after what came before`, () => {
    assert.equal(iso(local, zone), first);
    assert.equal(iso(local, zone, '2024-01-01T00:00Z'), first);
    assert.equal(iso(local, zone, first), second);
    assert.equal(iso(local, zone, second), first);
  });
}

/** Clocks put forward: the hour is left out. */
const never = [
  {
    zone: 'Europe/Berlin',
    local: '20240331023000',
    moved: '2024-03-31T01:30Z',
    before: '20240331015959',
    after: '20240331030000',
  },
  {
    zone: 'America/New_York',
    local: '20240310023000',
    moved: '2024-03-10T07:30Z',
    before: '20240310015959',
    after: '20240310030000',
  },
  {
    zone: 'Australia/Sydney',
    local: '20241006023000',
    moved: '2024-10-05T16:30Z',
    before: '20241006015959',
    after: '20241006030000',
  },
];

for (const { zone, local, moved, before, after } of never) {
  test(`a time in the hour that ${zone} leaves out is moved on, and those around it are a second apart`, () => {
    assert.equal(iso(local, zone), moved);
    const clock = zoneClock(zone);
    assert.equal((readTime(after, clock) ?? 0) - (readTime(before, clock) ?? 0), 1);
  });
}

const instant = fc.integer({ min: 0, max: 7_258_118_399 });
const two = (value: number) => String(value).padStart(2, '0');

/** `YYYYMMDDhhmmss`, what a clock so many minutes east of UTC shows. */
function shown(time: number, minutes: number): string {
  return new Date((time + minutes * 60) * 1000).toISOString().slice(0, 19).replace(/[-T:]/g, '');
}

function offset(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${two(size % 60)}`;
}

test('whatever is written with an offset is read again, and the fast way reads it as the thorough one does', () => {
  const fast = createFastTime(zoneClock('Europe/Berlin'));
  fc.assert(
    fc.property(instant, fc.integer({ min: -839, max: 839 }), (time, minutes) => {
      fc.pre(time + minutes * 60 >= 0 && time + minutes * 60 < 7_258_118_400);
      const text = `${shown(time, minutes)} ${offset(minutes)}`;
      assert.equal(readTime(text, utc), time);
      assert.equal(fast(Buffer.from(`"${text}"`), 1, text.length + 1, 0), time);
      const bare = shown(time, 0);
      assert.equal(fast(Buffer.from(bare), 0, bare.length, 5), readTime(bare, zoneClock('Europe/Berlin'), 5));
    }),
  );
});

test('the fast way reads no time that the thorough one does not', () => {
  const fast = createFastTime(utc);
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 14, maxLength: 14 }).map((all) => all.join(''));
  const text = fc.oneof(
    digits,
    fc.tuple(digits, fc.constantFrom(' +0000', ' -2460', ' 00000', '+00000')).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, (written) => {
      const time = fast(Buffer.from(written), 0, written.length, 0);
      if (!Number.isNaN(time)) assert.equal(readTime(written, utc), time);
    }),
  );
});

test('the readers of Kodi and Jellyfin take the one form that is put out for what it is', () => {
  fc.assert(
    fc.property(instant, (time) => {
      const text = `${shown(time, 0)} +0000`;
      assert.equal(readAsKodi(text), time);
      assert.equal(readAsJellyfin(text), time);
    }),
  );
});

/** What they make of forms that are met: the readers are to be wrong where those are. */
const others: readonly (readonly [text: string, kodi: string, jellyfin: string | null])[] = [
  ['20240101120000 +0530', '2024-01-01T06:30Z', '2024-01-01T06:30Z'],
  ['20240101120000 -0030', '2024-01-01T12:30Z', '2024-01-01T12:30Z'],
  ['20240101120000+0100', '2024-01-01T11:00Z', null],
  ['20240101120000', '2024-01-01T12:00Z', '2024-01-01T12:00Z'],
  ['20240101120000 Z', '2024-01-01T12:00Z', null],
  ['20240101120000 +05:30', '2024-01-01T07:00Z', null],
  ['20240101120000 BST', '2024-01-01T12:00Z', null],
  ['20240101120000 +1', '2024-01-01T11:00Z', '2024-01-01T12:00Z'],
  ['20240101120000 +100', '2024-01-01T02:00Z', '2024-01-01T12:00Z'],
  ['202401011200', '2024-01-01T12:00Z', '2024-01-01T12:00Z'],
  ['202401011200 +0100', '2024-01-01T12:00Z', '2024-01-01T11:00Z'],
  ['20240101', '2024-01-01T00:00Z', '2024-01-01T00:00Z'],
  ['20240101120000.000 +0000', '2024-01-01T12:00Z', null],
  ['2024-01-01T12:00:00Z', '2023-12-01T00:01Z', null],
  ['20240101T120000Z', '2024-01-01T00:00Z', null],
  ['1704110400', '1704-11-04T00:00Z', '1704-11-04T00:00Z'],
  ['20240101240000 +0000', '2024-01-02T00:00Z', null],
  ['', '2000-01-01T00:00Z', null],
];

for (const [text, kodi, jellyfin] of others) {
  test(`of "${text}" the readers of Kodi and Jellyfin make what those do`, () => {
    assert.equal(readAsKodi(text), Date.parse(kodi) / 1000);
    assert.equal(readAsJellyfin(text), jellyfin === null ? null : Date.parse(jellyfin) / 1000);
  });
}
