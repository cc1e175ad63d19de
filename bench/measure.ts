import { milliseconds, now, reach } from './clock.js';
import { type Contender, pathOf, tool } from './contenders.js';
import type { Lab } from './lab.js';
import { type Usage, usageOf } from './processes.js';
import { type Session, sendReport, startSession, watchReport } from './session.js';
import { median } from './statistics.js';

export type Load = {
  readonly name: string;
  readonly groups: number;
  /** Mbit/s of each group. */
  readonly mbps: number;
  readonly viewers: number;
  /** Reads nothing from the middle of the window on: the first viewer; it may be allowed to lose what it does not read. */
  readonly stall: { readonly milliseconds: number; readonly mayLose: boolean } | null;
  /** Milliseconds for which it runs before the window opens. */
  readonly settle: number;
};

/** One relay under one load, over one window. */
export type LoadResult = {
  /** Per cent of one CPU: every process of the relay, the pump alone, all but the pump. */
  readonly cpu: number;
  readonly pumpCpu: number | null;
  readonly restCpu: number | null;
  /** Wake-ups a second: the same three. */
  readonly wakeUps: number;
  readonly pumpWakeUps: number | null;
  readonly restWakeUps: number | null;
  /** Megabytes (2^20) at the end of the window. */
  readonly uss: number;
  readonly pumpUss: number | null;
  /** Packets that arrived at all viewers that may lose none, against packets sent to them in the window; errors are of these viewers. */
  readonly delivered: number;
  readonly continuityErrors: number;
  readonly syncErrors: number;
  /** The viewer that stalled, apart from the others; null in loads in which none does. */
  readonly stalled: { readonly delivered: number; readonly errors: number } | null;
  /** Viewers that were not answered, or not with 200. */
  readonly refused: number;
  /** Milliseconds from connecting to the first body byte, median of the viewers; null when one got none. */
  readonly firstByte: number | null;
  /** Milliseconds from when a packet was due until it came, mean and worst, of viewers that never stall; null when none came. */
  readonly delay: number | null;
  readonly delayMost: number | null;
  /** Milliseconds by which the sender was behind its schedule at worst. */
  readonly senderLate: number;
  /** Per cent of one CPU that all the viewers needed: near 100 they were too slow, and not the relay. */
  readonly viewersCpu: number;
};

/** What was sent in the window may still be under way when it closes: milliseconds. */
const grace = 500;

/** Some relays send when so many bytes have come and not before: each load runs that much longer, before its window and after it. */
const hoard = 65_536;

/** Milliseconds between two viewers' requests: no relay's backlog is put to the test. */
const pace = 1;

/** Datagrams that come in each second, of all groups. */
export function datagramRate({ groups, mbps }: Load): number {
  return (groups * mbps * 1e6) / 8 / 1_316;
}

/** What a load is sent by, told no instants, and what viewers ask a relay for of each group or channel. */
export type Feed = { readonly sender: readonly string[]; readonly path: (group: number) => string };

/** Measures one relay, started afresh and ended afterwards, under one load of groups. */
export async function measureLoad(lab: Lab, contender: Contender, load: Load, seconds: number): Promise<LoadResult> {
  const rate = ['--groups', String(load.groups), '--mbps', String(load.mbps), '--interface', lab.sourceAddress];
  return await measureBy(lab, contender, load, seconds, { sender: [tool('send'), ...rate], path: pathOf });
}

/** The same of any feed. */
export async function measureBy(
  lab: Lab,
  contender: Contender,
  load: Load,
  seconds: number,
  feed: Feed,
): Promise<LoadResult> {
  const session = await startSession(lab, contender);
  try {
    return await loadOnce(lab, contender, session, load, seconds, feed);
  } finally {
    await session.stop();
  }
}

async function loadOnce(
  lab: Lab,
  contender: Contender,
  session: Session,
  load: Load,
  seconds: number,
  feed: Feed,
): Promise<LoadResult> {
  const start = now() + milliseconds(200);
  const hoarding = (hoard * 8) / load.mbps / 1_000;
  const from = start + milliseconds(300 + load.viewers * pace + load.settle + hoarding);
  const to = from + milliseconds(Math.max(seconds * 1_000, 2 * (load.stall?.milliseconds ?? 0)));
  const end = to + milliseconds(grace + hoarding);
  const marks = ['--from', String(from), '--to', String(to), '--end', String(end)];
  const sender = lab.output('source', [...feed.sender, '--start', String(start), ...marks]);
  await reach(start + milliseconds(300));
  const stallFor = String(load.stall?.milliseconds ?? 0);
  const stall = ['--stall-at', String(from + (to - from) / 2n), '--stall-ms', stallFor];
  const paths = Array.from({ length: load.viewers }, (_, index) => feed.path(index % load.groups));
  const asking = ['--port', String(contender.port), '--pace-us', String(pace * 1_000)];
  const viewers = lab.output('home', [tool('watch'), ...asking, ...marks, ...stall, ...paths]);
  const [sent, watched, usage] = await Promise.all([sender, viewers, usageBetween(session, from, to)]);
  return { ...usage, ...delivery(load, sendReport.parse(JSON.parse(sent)), watchReport.parse(JSON.parse(watched))) };
}

type UsageResult = Pick<
  LoadResult,
  'cpu' | 'pumpCpu' | 'restCpu' | 'wakeUps' | 'pumpWakeUps' | 'restWakeUps' | 'uss' | 'pumpUss'
>;

async function usageBetween(session: Session, from: bigint, to: bigint): Promise<UsageResult> {
  await reach(from);
  const { all, pump } = session.processes();
  const rest = all.filter((pid) => !pump.includes(pid));
  const before = { at: now(), pump: usageOf(pump), rest: usageOf(rest) };
  await reach(to);
  const after = { at: now(), pump: usageOf(pump), rest: usageOf(rest) };
  const elapsed = Number(after.at - before.at);
  const cpu = (part: 'pump' | 'rest') => ((after[part].cpu - before[part].cpu) / elapsed) * 100;
  const wakeUps = (part: 'pump' | 'rest') => ((after[part].wakeUps - before[part].wakeUps) / elapsed) * 1e9;
  const megabytes = (usage: Usage) => usage.uss / 2 ** 20;
  const ofPump = <T>(value: T) => (pump.length > 0 ? value : null);
  return {
    cpu: cpu('pump') + cpu('rest'),
    pumpCpu: ofPump(cpu('pump')),
    restCpu: ofPump(cpu('rest')),
    wakeUps: wakeUps('pump') + wakeUps('rest'),
    pumpWakeUps: ofPump(wakeUps('pump')),
    restWakeUps: ofPump(wakeUps('rest')),
    uss: megabytes(after.pump) + megabytes(after.rest),
    pumpUss: ofPump(megabytes(after.pump)),
  };
}

type Watched = ReturnType<typeof watchReport.parse>;
type Viewers = Watched['viewers'];
type Sent = ReturnType<typeof sendReport.parse>;

function delivery(load: Load, sent: Sent, { cpu, viewers }: Watched) {
  const due = viewers.map((_, index) => sent.marked[index % load.groups] ?? 0);
  const held = load.stall?.mayLose === true ? 1 : 0;
  const faithful = viewers.slice(held);
  const starts = viewers.filter((viewer) => viewer.first > 0).map((viewer) => (viewer.first - viewer.connected) / 1e6);
  return {
    delivered: arrived(faithful) / sum(due.slice(held)),
    continuityErrors: sum(faithful.map((viewer) => viewer.continuityErrors)),
    syncErrors: sum(faithful.map((viewer) => viewer.syncErrors)),
    stalled:
      load.stall === null
        ? null
        : { delivered: arrived(viewers.slice(0, 1)) / (due[0] ?? 0), errors: errors(viewers.slice(0, 1)) },
    refused: viewers.filter((viewer) => viewer.status !== 200).length,
    ...delays(viewers.slice(load.stall === null ? 0 : 1)),
    firstByte: starts.length === viewers.length ? median(starts) : null,
    senderLate: sent.lateMs,
    viewersCpu: cpu,
  };
}

function delays(viewers: Viewers): Pick<LoadResult, 'delay' | 'delayMost'> {
  const packets = arrived(viewers);
  if (packets === 0) return { delay: null, delayMost: null };
  const all = sum(viewers.map((viewer) => viewer.delaySum));
  return { delay: all / packets / 1e6, delayMost: Math.max(...viewers.map((viewer) => viewer.delayMost)) / 1e6 };
}

function arrived(viewers: Viewers): number {
  return sum(viewers.map((viewer) => viewer.marked));
}

function errors(viewers: Viewers): number {
  return sum(viewers.map((viewer) => viewer.continuityErrors + viewer.syncErrors));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
