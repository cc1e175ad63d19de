import { milliseconds } from '../clock.js';
import { groupAddress } from '../contenders.js';
import { lostBetween } from './figures.js';
import type { Absence, Followed, SoakRecord } from './soak-record.js';
import type { Report, Visit } from './visits.js';

/** What went wrong, one line each; `machine` is what datagrams lost before the pump, or a viewer that did not read, explain. */
export type Faults = {
  readonly own: readonly string[];
  readonly machine: readonly string[];
  readonly turnedAway: number;
};

/** Whoever asked so long before Node ended may not have had its answer yet. */
const answerTime = milliseconds(500);

/** Faults of those that came and went. */
export function faultsOfVisits(followed: Followed): Faults {
  const own: string[] = [];
  const machine: string[] = [];
  let turnedAway = 0;
  for (const visit of followed.visits) {
    if (notServed(visit) && followed.absences.some((absence) => coincides(visit, absence))) turnedAway += 1;
    else if (notServed(visit)) own.push(`${nameOf(visit, followed)}: ${whyNotServed(visit)}`);
    else if (visit.report !== null) sort(followed, visit, visit.report, { own, machine });
  }
  return { own, machine, turnedAway };
}

/** Faults of those that stayed: they must have had every packet of video that was sent. */
export function faultsOfStayed(record: SoakRecord): Faults {
  const own: string[] = [];
  const machine: string[] = [];
  const { sent, options } = record;
  for (const visit of record.stayed) {
    const { group, report } = visit;
    const name = `the viewer that stayed on group ${group + 1}`;
    if (report === null || notServed(visit)) {
      own.push(`${name}: ${whyNotServed(visit)}`);
      continue;
    }
    sort(record, visit, report, { own, machine }, name);
    const due = sent.marked[group] ?? 0;
    if (report.marked === due) continue;
    const excused = lostBetween(record.samples, groupAddress(group), 0, options.seconds);
    (excused ? machine : own).push(`${name}: ${report.marked} of ${due} packets`);
  }
  return { own, machine, turnedAway: 0 };
}

function sort(
  followed: Followed,
  visit: Visit,
  report: Report,
  lists: { own: string[]; machine: string[] },
  name = nameOf(visit, followed),
): void {
  if (report.closed) lists.own.push(`${name}: disconnected after ${report.bytes} bytes`);
  const { continuityErrors, syncErrors } = report;
  if (continuityErrors + syncErrors === 0) return;
  const [from, to] = [seconds(followed, visit.from), seconds(followed, visit.to)];
  // Whatever the network does, what comes out is whole packets.
  const excused = syncErrors === 0 && lostBetween(followed.samples, groupAddress(visit.group), from, to);
  (excused ? lists.machine : lists.own).push(`${name}: ${continuityErrors} continuity and ${syncErrors} sync errors`);
}

function notServed({ report }: Visit): boolean {
  return report === null || report.status !== 200 || report.first === 0;
}

function whyNotServed({ report, failure }: Visit): string {
  if (report === null) return failure ?? 'no report';
  if (report.status === 0) return `no answer${report.closed ? ', disconnected' : ''}`;
  return report.status === 200 ? 'no first byte' : `status ${report.status}`;
}

function coincides({ from }: Visit, absence: Absence): boolean {
  return from > absence.from - answerTime && from < absence.to;
}

function nameOf(visit: Visit, followed: Followed): string {
  return `the viewer of group ${visit.group + 1} that came at ${seconds(followed, visit.from).toFixed(1)} s`;
}

function seconds({ start }: Followed, instant: bigint): number {
  return Number(instant - start) / 1e9;
}
