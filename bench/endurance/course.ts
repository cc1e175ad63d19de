import { median } from '../statistics.js';

export type Point = { /** Seconds since the start. */ readonly at: number; readonly value: number };

/** How a figure went over a run. */
export type Course = {
  readonly first: number;
  readonly median: number;
  readonly max: number;
  readonly last: number;
  /** Units an hour, by least squares over all points after `settle` seconds; null with fewer than ten of them. */
  readonly slope: number | null;
  readonly verdict: 'flat' | 'grows' | 'too short to tell';
};

/** A quarter with fewer points has no median worth the name. */
const leastPoints = 5;
/** The last quarter's median may be so many times the second quarter's. */
const tolerance = 1.1;

/**
 * Sums up a figure. It is flat when the median of the run's last quarter is at most 1.1 times the second quarter's, or `slack` units more
 * where that is more: the first quarter may warm up.
 * @throws RangeError without points.
 */
export function courseOf(points: readonly Point[], settle: number, slack: number): Course {
  const values = points.map(({ value }) => value);
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) throw new RangeError('A course needs at least one point.');
  return {
    first: first.value,
    median: median(values),
    max: Math.max(...values),
    last: last.value,
    slope: slopeOf(points.filter(({ at }) => at >= settle)),
    verdict: verdictOf(points, slack),
  };
}

function verdictOf(points: readonly Point[], slack: number): Course['verdict'] {
  const quarter = (index: number) => {
    const end = points.at(-1)?.at ?? 0;
    const within = points.filter(({ at }) => at >= (end * index) / 4 && (index === 3 || at < (end * (index + 1)) / 4));
    return within.map(({ value }) => value);
  };
  const [before, after] = [quarter(1), quarter(3)];
  if (before.length < leastPoints || after.length < leastPoints) return 'too short to tell';
  const limit = Math.max(median(before) * tolerance, median(before) + slack);
  return median(after) <= limit ? 'flat' : 'grows';
}

function slopeOf(points: readonly Point[]): number | null {
  if (points.length < 10) return null;
  const mean = (pick: (point: Point) => number) => points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)];
  const together = mean((point) => (point.at - at) * (point.value - value));
  return (together / mean((point) => (point.at - at) ** 2)) * 3600;
}
