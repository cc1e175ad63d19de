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
  /** Milliseconds for which the first viewer reads nothing, in the middle of the window; 0 for none. */
  readonly stall: number;
  /** Milliseconds for which it runs before the window opens. */
  readonly settle: number;
};

/** One relay under one load, over one window. */
export type LoadResult = {
  /** Per cent of one CPU: every process of the relay, the pump alone, all but the pump. */
  readonly cpu: number;
  readonly pumpCpu: number | null;
  readonly restCpu: number | null;
  /** Wake-ups a second of all but the pump. */
  readonly restWakeUps: number | null;
  /** Megabytes (2^20) at the end of the window. */
  readonly uss: number;
  readonly pumpUss: number | null;
  /** Packets that arrived at all viewers against packets sent to them in the window. */
  readonly delivered: number;
  readonly continuityErrors: number;
  readonly syncErrors: number;
  /** Milliseconds from connecting to the first body byte, median of the viewers; null when one got none. */
  readonly firstByte: number | null;
  /** Milliseconds by which the sender was behind its schedule at worst. */
  readonly senderLate: number;
};

/** What was sent in the window may still be under way when it closes. */
const grace = 500;

/** Measures one relay, started afresh and ended afterwards, under one load. */
export async function measureLoad(lab: Lab, contender: Contender, load: Load, seconds: number): Promise<LoadResult> {
  const session = await startSession(lab, contender);
  try {
    return await loadOnce(lab, contender, session, load, seconds);
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
): Promise<LoadResult> {
  const start = now() + milliseconds(200);
  const from = start + milliseconds(300 + load.settle);
  const to = from + milliseconds(seconds * 1000);
  const end = to + milliseconds(grace);
  const marks = ['--from', String(from), '--to', String(to), '--end', String(end)];
  const rate = ['--groups', String(load.groups), '--mbps', String(load.mbps), '--interface', lab.sourceAddress];
  const sender = lab.output('source', [tool('send'), ...rate, '--start', String(start), ...marks]);
  await reach(start + milliseconds(300));
  const stall = ['--stall-at', String(from + (to - from) / 2n), '--stall-ms', String(load.stall)];
  const paths = Array.from({ length: load.viewers }, (_, index) => pathOf(index % load.groups));
  const viewers = lab.output('home', [tool('watch'), '--port', String(contender.port), ...marks, ...stall, ...paths]);
  const [sent, watched, usage] = await Promise.all([sender, viewers, usageBetween(session, from, to)]);
  return { ...usage, ...delivery(load, sendReport.parse(JSON.parse(sent)), watchReport.parse(JSON.parse(watched))) };
}

type UsageResult = Pick<LoadResult, 'cpu' | 'pumpCpu' | 'restCpu' | 'restWakeUps' | 'uss' | 'pumpUss'>;

async function usageBetween(session: Session, from: bigint, to: bigint): Promise<UsageResult> {
  await reach(from);
  const { all, pump } = session.processes();
  const rest = all.filter((pid) => !pump.includes(pid));
  const before = { at: now(), pump: usageOf(pump), rest: usageOf(rest) };
  await reach(to);
  const after = { at: now(), pump: usageOf(pump), rest: usageOf(rest) };
  const elapsed = Number(after.at - before.at);
  const cpu = (part: 'pump' | 'rest') => ((after[part].cpu - before[part].cpu) / elapsed) * 100;
  const megabytes = (usage: Usage) => usage.uss / 2 ** 20;
  const ofPump = <T>(value: T) => (pump.length > 0 ? value : null);
  return {
    cpu: cpu('pump') + cpu('rest'),
    pumpCpu: ofPump(cpu('pump')),
    restCpu: ofPump(cpu('rest')),
    restWakeUps: ofPump(((after.rest.wakeUps - before.rest.wakeUps) / elapsed) * 1e9),
    uss: megabytes(after.pump) + megabytes(after.rest),
    pumpUss: ofPump(megabytes(after.pump)),
  };
}

type Watched = ReturnType<typeof watchReport.parse>;
type Sent = ReturnType<typeof sendReport.parse>;

function delivery(load: Load, sent: Sent, viewers: Watched) {
  const sum = (value: (viewer: Watched[number]) => number) =>
    viewers.reduce((total, viewer) => total + value(viewer), 0);
  const starts = viewers.filter((viewer) => viewer.first > 0).map((viewer) => (viewer.first - viewer.connected) / 1e6);
  return {
    delivered: sum((viewer) => viewer.marked) / ((sent.marked / load.groups) * viewers.length),
    continuityErrors: sum((viewer) => viewer.continuityErrors),
    syncErrors: sum((viewer) => viewer.syncErrors),
    firstByte: starts.length === viewers.length ? median(starts) : null,
    senderLate: sent.lateMs,
  };
}
