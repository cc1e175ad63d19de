import type { LoadResult } from '../../bench/measure.js';

/** A run in which nothing was lost. */
export const wholeRun: LoadResult = {
  cpu: 10,
  pumpCpu: null,
  restCpu: null,
  wakeUps: 100,
  pumpWakeUps: null,
  restWakeUps: null,
  uss: 1,
  pumpUss: null,
  delivered: 1,
  continuityErrors: 0,
  syncErrors: 0,
  stalled: null,
  refused: 0,
  delay: 5,
  delayMost: 10,
  firstByte: 5,
  senderLate: 0,
  viewersCpu: 10,
};
