import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bestPeer,
  judgeCeiling,
  judgeDelivery,
  judgeNode,
  judgeRatio,
  percent,
  type Series,
} from '../../bench/budgets.js';
import type { LoadResult } from '../../bench/measure.js';
import { median, percentile, spread } from '../../bench/statistics.js';
import { wholeRun } from './whole-run.js';

function series(relay: string, ...runs: Partial<LoadResult>[]): Series {
  return { relay, runs: runs.map((run) => ({ ...wholeRun, ...run })), failures: [] };
}

test('the best peer is the one with the lowest median among those that lost nothing in any run', () => {
  const cheapButLossy = series('cheap', { cpu: 1 }, { cpu: 1, delivered: 0.999_99 }, { cpu: 1 });
  const cheapButBroken = series('broken', { cpu: 2 }, { cpu: 2, continuityErrors: 1 }, { cpu: 2 });
  const steady = series('steady', { cpu: 6 }, { cpu: 5 }, { cpu: 90 });
  const dear = series('dear', { cpu: 7 }, { cpu: 8 }, { cpu: 1 });
  assert.deepEqual(bestPeer([series('weir', { cpu: 0 }), cheapButLossy, cheapButBroken, steady, dear]), {
    relay: 'steady',
    cpu: 6,
  });
});

test('a peer that failed in one run is no best peer, and Weir failing in one run misses the budget of delivery', () => {
  const failed = (relay: string) => ({ ...series(relay, { cpu: 1 }), failures: ['It does not listen.'] });
  assert.equal(bestPeer([failed('unsteady'), series('steady', { cpu: 5 })])?.relay, 'steady');
  assert.equal(judgeDelivery('a load', [failed('weir')]).result, 'missed');
});

test('a pump at half the best peer meets a must of 0.60 but no aim of 0.45; without a whole peer there is no verdict', () => {
  const ours = series('weir', { cpu: 9, pumpCpu: 5 });
  const budget = { must: 0.6, aim: 0.45 };
  assert.equal(judgeRatio('a load', [ours, series('peer', {})], budget).result, 'must met');
  assert.equal(judgeRatio('a load', [ours, series('peer', { cpu: 8 })], budget).result, 'missed');
  assert.equal(judgeRatio('a load', [ours, series('peer', { delivered: 0.5 })], budget).result, 'not measured');
  assert.equal(judgeRatio('a load', [series('peer', {})], budget).result, 'not measured');
});

test('one lost packet, one continuity error or one lost sync in one run misses the budget of delivery', () => {
  for (const fault of [{ delivered: 0.999_999 }, { continuityErrors: 1 }, { syncErrors: 1 }]) {
    assert.equal(judgeDelivery('a load', [series('weir', {}, fault)]).result, 'missed');
  }
  assert.equal(judgeDelivery('a load', [series('weir', {}, {})]).result, 'aim met');
});

test('a ceiling is judged by the median, and missed when a run has no value', () => {
  assert.equal(judgeCeiling('first byte', [11, 12, 50], { unit: 'ms', must: 20, aim: 12 }).result, 'aim met');
  assert.equal(judgeCeiling('first byte', [11, 13, 50], { unit: 'ms', must: 20, aim: 12 }).result, 'must met');
  assert.equal(judgeCeiling('first byte', [11, null, 11], { unit: 'ms', must: 20, aim: 12 }).result, 'missed');
});

test('shares are rounded down, so that only everything reads 100 %', () => {
  assert.equal(percent(1), '100 %');
  assert.equal(percent(0.999_999_9), '99.999 %');
});

test('the median of an even number of values is the mean of the middle two; a spread shows least and greatest; a percentile is a value that was measured', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(spread([3, null, 1, 2], 1), '2.0 (1.0–3.0)');
  assert.equal(spread([null], 1), '–');
  assert.equal(percentile([3, 1, 2, 4], 0.5), 2);
  assert.equal(percentile([3, 1, 2, 4], 0.51), 3);
});

test('Node is judged by its CPU, and only no wake-up at all is the aim', () => {
  const runs = (restCpu: number, restWakeUps: number) => series('weir', { restCpu, restWakeUps }).runs;
  assert.equal(judgeNode(runs(0.6, 0)).result, 'missed');
  assert.equal(judgeNode(runs(0.01, 1)).result, 'must met');
  assert.equal(judgeNode(runs(0.01, 0)).result, 'aim met');
});
