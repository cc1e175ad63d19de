import type { LoadResult } from './measure.js';
import { median, spread } from './statistics.js';

/** All runs of one relay under one load; `failures` says why those came to nothing that did. */
export type Series = {
  readonly relay: string;
  readonly runs: readonly LoadResult[];
  readonly failures: readonly string[];
};

export type Verdict = {
  readonly what: string;
  /** What was measured, as text, or why it could not be. */
  readonly measured: string;
  readonly must: string;
  readonly aim: string;
  readonly result: 'aim met' | 'must met' | 'missed' | 'not measured';
};

/** The limits of one load, as ratios against the best peer. */
export type RatioBudget = { readonly must: number; readonly aim: number };

/** Whether a run lost nothing: every packet of the window at every viewer, in order. */
export function complete(run: LoadResult): boolean {
  return run.delivered === 1 && run.continuityErrors === 0 && run.syncErrors === 0;
}

/** The peer with the lowest median CPU of those that lost nothing in any run, or null. */
export function bestPeer(series: readonly Series[]): { relay: string; cpu: number } | null {
  const honest = series.filter(
    ({ relay, runs, failures }) =>
      !relay.startsWith('weir') && runs.length > 0 && failures.length === 0 && runs.every(complete),
  );
  const ranked = honest.map(({ relay, runs }) => ({ relay, cpu: median(runs.map((run) => run.cpu)) }));
  return ranked.sort((a, b) => a.cpu - b.cpu)[0] ?? null;
}

export function judgeRatio(load: string, series: readonly Series[], { must, aim }: RatioBudget): Verdict {
  const what = `pump CPU, ${load}, against the best peer`;
  const limits = { must: `≤ ${must.toFixed(2)}`, aim: aim.toFixed(2) };
  const ours = runsOf(series, 'weir').map((run) => run.pumpCpu);
  const best = bestPeer(series);
  const pump = ours.filter((cpu) => cpu !== null);
  if (pump.length === 0) return { what, measured: 'Weir was not measured', ...limits, result: 'not measured' };
  if (best === null) return { what, measured: 'no peer delivered everything', ...limits, result: 'not measured' };
  const ratio = median(pump) / best.cpu;
  return { what, measured: `${ratio.toFixed(2)} (${best.relay})`, ...limits, result: grade(ratio, must, aim) };
}

export function judgeDelivery(load: string, series: readonly Series[]): Verdict {
  const runs = runsOf(series, 'weir');
  const what = `delivered, ${load}`;
  const limits = { must: '100 %, no error', aim: '' };
  const [failure] = series.find(({ relay }) => relay === 'weir')?.failures ?? [];
  if (failure !== undefined) return { what, measured: failure, ...limits, result: 'missed' };
  if (runs.length === 0) return { what, measured: 'Weir was not measured', ...limits, result: 'not measured' };
  const share = Math.min(...runs.map((run) => run.delivered));
  const errors = runs.reduce((sum, run) => sum + run.continuityErrors + run.syncErrors, 0);
  return {
    what,
    measured: `${percent(share)}, ${errors} errors`,
    ...limits,
    result: runs.every(complete) ? 'aim met' : 'missed',
  };
}

export type Ceiling = {
  readonly unit: string;
  readonly must: number;
  /** Null where there is nothing to compare with. */
  readonly aim: number | null;
};

/** A figure of Weir's own with a ceiling; `values` are one a run. */
export function judgeCeiling(what: string, values: readonly (number | null)[], { unit, must, aim }: Ceiling): Verdict {
  const limits = { must: `≤ ${must} ${unit}`, aim: aim === null ? '–' : `${spread([aim], 2)} ${unit}` };
  const known = values.filter((value) => value !== null);
  if (values.length === 0) return { what, measured: 'Weir was not measured', ...limits, result: 'not measured' };
  if (known.length < values.length) return { what, measured: 'no value in some runs', ...limits, result: 'missed' };
  const result = grade(median(known), must, aim ?? Number.NEGATIVE_INFINITY);
  return { what, measured: `${spread(known, 2)} ${unit}`, ...limits, result };
}

/** What Node uses while the pump streams: at most 0.5 % of a CPU, better no wake-up at all. */
export function judgeNode(runs: readonly LoadResult[]): Verdict {
  const what = 'Node while streams run';
  const limits = { must: '≤ 0.5 % CPU', aim: '0 wake-ups a second' };
  const cpu = runs.map((run) => run.restCpu).filter((value) => value !== null);
  const wakeUps = runs.map((run) => run.restWakeUps).filter((value) => value !== null);
  if (cpu.length === 0) return { what, measured: 'Weir was not measured', ...limits, result: 'not measured' };
  const measured = `${spread(cpu, 2)} %, ${spread(wakeUps, 1)} wake-ups a second`;
  if (median(cpu) > 0.5) return { what, measured, ...limits, result: 'missed' };
  return { what, measured, ...limits, result: median(wakeUps) < 0.05 ? 'aim met' : 'must met' };
}

/** Rounded down: nothing but everything reads 100 %. */
export function percent(share: number): string {
  return `${(Math.floor(share * 1e5) / 1e3).toFixed(share === 1 ? 0 : 3)} %`;
}

export function runsOf(series: readonly Series[], relay: string): readonly LoadResult[] {
  return series.find((candidate) => candidate.relay === relay)?.runs ?? [];
}

function grade(value: number, must: number, aim: number): Verdict['result'] {
  if (value <= aim) return 'aim met';
  return value <= must ? 'must met' : 'missed';
}
