import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedClock, utc } from '../../../src/lib/zone-clock.js';
import type { ChannelCatchup, Wish } from '../../../src/model/archive.js';
import { type PlannedArchive, planArchive } from '../../../src/relay/catchup/plan.js';
import { catchupOf } from './catchup.js';

const start = 1_704_110_400;
const now = 1_704_196_800;
const hour: Wish = { start, end: start + 3600 };
const live = 'rtsp://h/PLTV/1.smil';

function planned(catchup: ChannelCatchup, wish: Wish = hour, openEnd: number | null = null): PlannedArchive {
  const plan = planArchive(catchup, wish, { now, openEnd, household: namedClock('Asia/Shanghai') });
  if ('problem' in plan) assert.fail(plan.problem);
  return plan;
}

function problemOf(catchup: ChannelCatchup): string {
  const plan = planArchive(catchup, hour, { now, openEnd: null, household: utc });
  return 'problem' in plan ? plan.problem : assert.fail(plan.url);
}

test('a channel without a zone is asked in the clock of the household, one with a zone in its own', () => {
  assert.equal(
    planned(catchupOf('playseek', null, { urls: [live] })).url,
    `${live}?playseek=20240101200000-20240101210000`,
  );
  const vienna = catchupOf('playseek', null, { urls: [live], zone: 'Europe/Vienna' });
  assert.equal(planned(vienna).url, `${live}?playseek=20240101130000-20240101140000`);
});

test('headers are those of the channel, and over them those of the template', () => {
  const { headers, url } = planned(catchupOf('default', 'http://h/{utc}|A=2', { headers: { A: '1', B: '1' } }));
  assert.deepEqual(headers, { A: '2', B: '1' });
  assert.equal(url, 'http://h/1704110400');
});

test('the address is the first that the mode can be built on, and that with PLTV for playseek', () => {
  const urls = ['rtsp://h/x', 'http://h/a/mpegts'];
  assert.equal(planned(catchupOf('flussonic-ts', null, { urls })).url, 'http://h/a/timeshift_abs-1704110400.ts');
  const both = ['rtsp://h/x', 'http://h/TVOD/1'];
  assert.equal(
    planned(catchupOf('playseek', null, { urls: both })).url,
    'http://h/TVOD/1?playseek=20240101200000-20240101210000',
  );
});

test('an end that the guide knows stands for an open one, corrected as all others', () => {
  const catchup = catchupOf('default', 'http://h/?s={utc}&e={utcend}&d={duration}', { correction: 1 });
  assert.equal(planned(catchup, { start, end: null }, start + 1800).url, 'http://h/?s=1704106800&e=1704108600&d=1800');
});

test('what is hardly past goes by Range at the live address without its seek, and what is older by the template', () => {
  const near = catchupOf('append', '?playseek={utc}-{utcend}', { urls: [`${live}?playseek=1&k=2`], nearLive: 3600 });
  const recent = planned(near, { start: now - 3600, end: null });
  assert.equal(recent.url, `${live}?k=2`);
  assert.equal(recent.range, 'clock=20240102T110000Z-');
  const older = planned(near, { start: now - 3601, end: null });
  assert.equal(older.range, null);
  assert.equal(older.url, `${live}?playseek=1&k=2&playseek=1704193199-`);
});

const problems: readonly (readonly [what: string, catchup: ChannelCatchup, said: RegExp])[] = [
  ['a fragment without an address', catchupOf('default', '?utc={utc}'), /no address with a server/],
  ['append without an address', catchupOf('append', '?utc={utc}'), /needs an address/],
  ['append without a template', catchupOf('append', null, { urls: [live] }), /needs a template/],
  ['vod without a template', catchupOf('vod', null, { urls: [live] }), /catchup-id/],
  ['xc behind an address of another kind', catchupOf('xc', null, { urls: ['http://h/a.b.c'] }), /mode xc needs/i],
  ['xc by rtsp', catchupOf('xc', null, { urls: ['rtsp://h/live/u/p/1'] }), /mode xc needs/i],
  [
    'flussonic without a directory',
    catchupOf('flussonic-hls', null, { urls: ['http://h/ch.m3u8'] }),
    /needs an http address/,
  ],
  ['an unknown zone', catchupOf('shift', null, { urls: [live], zone: 'Europe/Nowhere' }), /no zone Europe\/Nowhere/],
];
for (const [what, catchup, said] of problems)
  test(`${what} is a problem that is told in one sentence`, () => {
    assert.match(problemOf(catchup), said);
    assert.match(problemOf(catchup), /^[A-Z][^\n]+\.$/);
  });
