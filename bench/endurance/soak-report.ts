import { percent } from '../budgets.js';
import { table } from '../report.js';
import { spread } from '../statistics.js';
import { type Course, courseOf } from './course.js';
import { type Holding, lossesOf, type Sample } from './figures.js';
import { type Outcome, say } from './ground.js';
import { faultsOfStayed, faultsOfVisits } from './soak-faults.js';
import type { Absence, Followed, SoakRecord } from './soak-record.js';

/** Seconds that a run may take to warm up before its slope is looked at. */
const settle = 600;
const megabyte = 2 ** 20;
/** Faults that are shown in full. */
const shown = 20;

/** One line of what has happened so far. */
export function lineOf(followed: Followed): string {
  const { visits, absences, samples, gone } = followed;
  const latest = samples.at(-1);
  const { own, machine, turnedAway } = faultsOfVisits(followed);
  const { lost, kernelDrops, jumps } = lossesOf(latestStreams(samples));
  const holds = (name: string, holding: Holding | null | undefined) =>
    holding === null || holding === undefined
      ? `${name} away`
      : `${name} RSS ${megabytes(holding.rss)} USS ${megabytes(holding.uss)} MB, ${holding.descriptors} descriptors`;
  return [
    `${Math.round(latest?.at ?? 0)} s`,
    `${visits.length} visits: ${own.length} faults, ${machine.length} by the machine, ${turnedAway} turned away`,
    `${gone.length} of those that stay have gone`,
    `${absences.length} restarts`,
    holds('pump', latest?.pump),
    holds('Node', latest?.node),
    `lost ${lost}, kernel drops ${kernelDrops}, jumps ${jumps}`,
  ].join(' · ');
}

/** Prints the summary and says how the run ended. */
export function judgeSoak(record: SoakRecord): Outcome {
  const visits = faultsOfVisits(record);
  const stayed = faultsOfStayed(record);
  const courses = coursesOf(record.samples);
  const growing = courses.filter(({ course }) => course.verdict === 'grows');
  const own = [
    ...faultsOfProcesses(record),
    ...stayed.own,
    ...visits.own,
    ...growing.map(({ name }) => `${name} grows`),
  ];
  const machine = [...stayed.machine, ...visits.machine];
  say(`\n${lineOf(record)}`);
  say(summaryOf(record));
  say(`\n${courseTable(courses)}\n`);
  list('Faults', own);
  list('Explained by losses before the pump, or by viewers that did not read', machine);
  if (own.length > 0) return 'failed';
  return machine.length > 0 ? 'not judged' : 'passed';
}

function summaryOf({ sent, stayed, visits, absences, samples, backlogDrops }: SoakRecord): string {
  const due = sent.marked.reduce((sum, count) => sum + count, 0);
  const marked = stayed.reduce((sum, { report }) => sum + (report?.marked ?? 0), 0);
  const times = (of: 'first' | 'picture') =>
    visits.flatMap(({ report }) => (report !== null && report[of] > 0 ? [(report[of] - report.connected) / 1e6] : []));
  const { lost, kernelDrops, jumps } = lossesOf(latestStreams(samples));
  return [
    `Delivered to those that stayed: ${percent(marked / due)} of ${due} packets`,
    `Those that came and went: first byte after ${spread(times('first'), 1)} ms, first picture after ${spread(times('picture'), 1)} ms`,
    `Node away: ${spread(absences.map(lengthOf), 0)} ms`,
    `Lost before the pump: ${lost} RTP packets, ${kernelDrops} dropped by its sockets, ${backlogDrops} by the machine's backlog`,
    `Jumps of viewers that did not read: ${jumps} · sender late by ${sent.lateMs.toFixed(1)} ms at worst`,
    `The pump had to wait for a processor: ${waitsOf(samples)}`,
  ].join('\n');
}

/** A pump that lost datagrams and hardly had to wait lost them by itself. */
function waitsOf(samples: readonly Sample[]): string {
  const waits = samples.slice(1).map(({ waited }, index) => Math.max(0, waited - (samples[index]?.waited ?? 0)));
  const total = waits.reduce((sum, wait) => sum + wait, 0);
  return `${total.toFixed(0)} ms in all, at most ${Math.max(0, ...waits).toFixed(0)} ms between two looks`;
}

function faultsOfProcesses({ absences, pumps }: SoakRecord): string[] {
  const bad = absences.filter(({ code }) => code !== 0).map(({ code }) => `Node ended with ${code} when restarted`);
  return pumps.size === 1 ? bad : [...bad, `${pumps.size} pumps were seen instead of one`];
}

type Named = { readonly name: string; readonly course: Course };

function coursesOf(samples: readonly Sample[]): Named[] {
  const figures = [
    { what: 'RSS MB', slack: 0, of: ({ rss }: Holding) => rss / megabyte },
    { what: 'USS MB', slack: 0, of: ({ uss }: Holding) => uss / megabyte },
    // Their number goes with the viewers, who come and go.
    { what: 'descriptors', slack: 4, of: ({ descriptors }: Holding) => descriptors },
  ];
  return (['pump', 'node'] as const).flatMap((part) =>
    figures.flatMap(({ what, slack, of }) => {
      const points = samples.flatMap((one) => {
        const holding = one[part];
        return holding === null ? [] : [{ at: one.at, value: of(holding) }];
      });
      return points.length === 0 ? [] : [{ name: `${part} ${what}`, course: courseOf(points, settle, slack) }];
    }),
  );
}

function courseTable(courses: readonly Named[]): string {
  const head = ['figure', 'first', 'median', 'max', 'last', 'an hour', 'verdict'];
  const rows = courses.map(({ name, course }) => [
    name,
    ...[course.first, course.median, course.max, course.last].map((value) => value.toFixed(1)),
    course.slope === null ? '–' : course.slope.toFixed(2),
    course.verdict,
  ]);
  return table(head, rows);
}

function list(title: string, lines: readonly string[]): void {
  say(`${title}: ${lines.length === 0 ? 'none' : lines.length}`);
  for (const line of lines.slice(0, shown)) say(`  ${line}`);
}

function latestStreams(samples: readonly Sample[]) {
  return samples.findLast(({ streams }) => streams !== null && streams.length > 0)?.streams ?? [];
}

function lengthOf({ from, to }: Absence): number {
  return Number(to - from) / 1e6;
}

function megabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(1);
}
