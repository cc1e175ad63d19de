import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { namedClock, zoneClock } from '../../src/lib/zone-clock.js';

/** What a clock shows, by zone and instant. */
const shown: readonly (readonly [zone: string, instant: string, local: string])[] = [
  ['UTC', '2024-01-01T12:00:00', '2024-01-01T12:00:00'],
  ['Europe/London', '2024-07-11T12:00:00', '2024-07-11T13:00:00'],
  ['Europe/Vienna', '2024-03-31T00:59:59', '2024-03-31T01:59:59'],
  ['Europe/Vienna', '2024-03-31T01:00:00', '2024-03-31T03:00:00'],
  ['Europe/Vienna', '2024-10-27T00:00:00', '2024-10-27T02:00:00'],
  ['Europe/Vienna', '2024-10-27T01:00:00', '2024-10-27T02:00:00'],
  ['America/New_York', '2024-03-10T07:00:00', '2024-03-10T03:00:00'],
  ['America/St_Johns', '2024-01-01T12:00:00', '2024-01-01T08:30:00'],
  ['Asia/Kathmandu', '2024-01-01T12:00:00', '2024-01-01T17:45:00'],
  ['Australia/Lord_Howe', '2024-04-06T14:30:00', '2024-04-07T01:30:00'],
  ['Australia/Lord_Howe', '2024-10-05T15:30:00', '2024-10-06T02:30:00'],
  ['UTC+8', '2024-01-01T12:00:00', '2024-01-01T20:00:00'],
  ['GMT-3:30', '2024-01-01T12:00:00', '2024-01-01T08:30:00'],
  ['+05:45', '2024-01-01T12:00:00', '2024-01-01T17:45:00'],
  ['-0930', '2024-01-01T12:00:00', '2024-01-01T02:30:00'],
  ['utc+14', '2024-01-01T12:00:00', '2024-01-02T02:00:00'],
];

const seconds = (text: string) => Date.parse(`${text}Z`) / 1000;

for (const [zone, instant, local] of shown) {
  test(`at ${instant} UTC a clock of ${zone} shows ${local}`, () => {
    assert.equal(namedClock(zone).toLocal(seconds(instant)), seconds(local));
  });
}

for (const name of ['', 'Europe/Nowhere', 'UTC+15', '+14:01', '+05:60', '+1:5', 'UTC8', 'local']) {
  test(`"${name}" is no zone`, () => {
    assert.throws(() => namedClock(name), RangeError);
  });
}

test('what a clock shows is read as the instant it was, or where an hour comes twice as the other one', () => {
  const zones = ['Europe/Vienna', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Chatham', '+05:45'];
  const instants = fc.integer({ min: seconds('1990-01-01T00:00:00'), max: seconds('2037-01-01T00:00:00') });
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, instant) => {
      const clock = namedClock(zone);
      const local = clock.toLocal(instant);
      const read = clock.toEpoch(local, instant - 1);
      assert.equal(clock.toLocal(read), local);
      assert.equal(read, instant);
    }),
  );
});

test('without a name the clock is that of UTC, whatever the machine has', () => {
  assert.equal(zoneClock(null).toLocal(1_704_110_400), 1_704_110_400);
});
