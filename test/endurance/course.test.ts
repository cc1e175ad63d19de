import assert from 'node:assert/strict';
import { test } from 'node:test';
import { courseOf, type Point } from '../../bench/endurance/course.js';

/** One point every ten seconds of an hour. */
const hour = (value: (at: number) => number): Point[] =>
  Array.from({ length: 360 }, (_, index) => ({ at: index * 10, value: value(index * 10) }));

test('a figure that warms up for ten minutes and stays is flat, its slope nought', () => {
  const course = courseOf(
    hour((at) => Math.min(at, 600)),
    600,
    0,
  );
  assert.deepEqual([course.verdict, course.slope, course.first, course.last, course.max], ['flat', 0, 0, 600, 600]);
});

test('a figure that grows by a fifth from the second quarter to the last grows, its slope in units an hour', () => {
  const course = courseOf(
    hour((at) => 100 + at / 60),
    600,
    0,
  );
  assert.equal(course.verdict, 'grows');
  assert.ok(Math.abs((course.slope ?? 0) - 60) < 1e-6);
});

test('a saw that falls back every five minutes is flat', () => {
  assert.equal(
    courseOf(
      hour((at) => 100 + (at % 300)),
      600,
      0,
    ).verdict,
    'flat',
  );
});

test('a few more of a small number are flat within the slack, more are not', () => {
  const steps = (more: number) => hour((at) => (at < 2700 ? 20 : 20 + more));
  assert.equal(courseOf(steps(4), 600, 4).verdict, 'flat');
  assert.equal(courseOf(steps(5), 600, 4).verdict, 'grows');
});

test('a run with fewer than five points a quarter has no verdict and, with fewer than ten, no slope', () => {
  const course = courseOf(hour((at) => at).slice(0, 9), 0, 0);
  assert.deepEqual([course.verdict, course.slope], ['too short to tell', null]);
});
