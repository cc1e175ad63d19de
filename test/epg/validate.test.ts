import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Candidate, objectionTo, type Summary, summarise } from '../../src/epg/validate.js';

const day = 86_400;
/** 2024-01-01 00:00 UTC */
const now = 1_704_067_200;
const whole: Candidate = {
  summary: { current: 10_000, until: now + 7 * day, covered: 198 },
  ...{ programmes: 10_000, median: now + 3 * day, cutOff: null },
};
const before: Summary = { current: 10_000, until: now + 6 * day, covered: 198 };
const judge = (part: Partial<Candidate>, summary: Partial<Summary> = {}, previous: Summary | null = before) =>
  objectionTo({ ...whole, ...part, summary: { ...whole.summary, ...summary } }, { previous, linked: 200, now });

test('a guide that is as the one before is trusted, and so is the first one', () => {
  assert.equal(judge({}), null);
  assert.equal(judge({}, {}, null), null);
  assert.equal(judge({}, { current: 10, until: now + 3600, covered: 0 }, null), null);
});

test('a guide without programmes is refused, also the first one', () => {
  assert.equal(judge({ programmes: 0, median: null }), 'It holds no programmes.');
  assert.equal(judge({ programmes: 0, median: null }, {}, null), 'It holds no programmes.');
});

test('a guide that is cut off is refused where there is a whole one', () => {
  const cutOff = 'The gzip file is cut off: its end is missing.';
  assert.equal(judge({ cutOff }), cutOff);
  assert.equal(judge({ cutOff }, {}, null), null);
});

test('less than half the programmes from a day ago on is refused, half of them is not', () => {
  assert.equal(judge({}, { current: 5000 }), null);
  assert.equal(judge({}, { current: 4000 }), 'It has 4,000 programmes, the one in service 10,000: less than half.');
});

test('a guide that ends within 12 hours is refused if the one in service goes on longer', () => {
  assert.equal(judge({}, { until: now + day / 2 }), null);
  assert.equal(judge({}, { until: now + day / 4 }), 'It ends 2024-01-01 06:00 UTC, the one in service later.');
  assert.equal(judge({}, { until: now + day / 4 }, { ...before, until: now + day / 4 }), null);
});

test('a guide that leaves a fifth of the linked channels without programmes is refused', () => {
  assert.equal(judge({}, { covered: 159 }), null);
  assert.equal(judge({}, { covered: 120 }), 'Only 120 of 200 linked channels have programmes, before 198.');
});

test('a guide of another time is refused with how far it is off, also the first one', () => {
  const around = (days: number) => judge({ median: now + days * day }, {}, null);
  assert.equal(around(-30), null);
  assert.equal(around(60), null);
  assert.equal(around(-31), 'Its programmes are around 2023-12-01: 31 days off.');
  assert.equal(around(-214), 'Its programmes are around 2023-06-01: 7 months off.');
  assert.equal(around(-365), 'Its programmes are around 2023-01-01: a year off.');
  assert.equal(around(3653), 'Its programmes are around 2034-01-01: 10 years off.');
});

test('programmes of a channel count from a day ago on, as if they were spread evenly', () => {
  const channel = { programmes: 100, first: now - 3 * day, last: now + 7 * day, isLinked: true };
  assert.deepEqual(summarise([channel], now), { current: 80, until: now + 7 * day, covered: 1 });
  assert.deepEqual(summarise([{ ...channel, first: now }], now), { current: 100, until: now + 7 * day, covered: 1 });
  assert.deepEqual(summarise([{ ...channel, last: now - 2 * day }], now), {
    ...{ current: 0, until: now - 2 * day, covered: 0 },
  });
  assert.deepEqual(summarise([{ ...channel, first: now + 2 * day, isLinked: true }], now).covered, 0);
  assert.deepEqual(summarise([{ programmes: 0, first: null, last: null, isLinked: true }], now), {
    ...{ current: 0, until: null, covered: 0 },
  });
});
