import { readdirSync, readFileSync } from 'node:fs';

/** What a set of processes has used so far, and what it holds now. */
export type Usage = {
  /** Nanoseconds of CPU of all threads: /proc/PID/task/TID/schedstat, which counts system time and softirqs of its sends too. */
  readonly cpu: number;
  /** Times that a thread went to sleep of its own accord: each is one wake-up. */
  readonly wakeUps: number;
  /** Bytes that no other process shares: Private_* of smaps_rollup. */
  readonly uss: number;
};

/** A process and its descendants. */
export function processTree(root: number): number[] {
  const parents = new Map(processIds().map((pid) => [pid, parentOf(pid)]));
  const tree = [root];
  for (const pid of tree) {
    for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  }
  return tree;
}

/** Processes one of whose arguments contains `text`. */
export function processesNaming(text: string): number[] {
  return processIds().filter((pid) => read(`/proc/${pid}/cmdline`).includes(text));
}

export function usageOf(pids: readonly number[]): Usage {
  const threads = pids.flatMap((pid) => entries(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`));
  return {
    cpu: sum(threads.map((thread) => Number(read(`${thread}/schedstat`).split(' ')[0] ?? 0))),
    wakeUps: sum(threads.map((thread) => numberAfter(read(`${thread}/status`), 'voluntary_ctxt_switches:'))),
    uss: sum(pids.map(ussOf)),
  };
}

/** Whether something listens on a TCP port in the network namespace of process `pid`. */
export function listens(pid: number, port: number): boolean {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = `${read(`/proc/${pid}/net/tcp`)}\n${read(`/proc/${pid}/net/tcp6`)}`;
  return tables.split('\n').some((line) => {
    const [, local, , state] = line.trim().split(/\s+/);
    return state === '0A' && local?.endsWith(`:${wanted}`) === true;
  });
}

/** Whether a process runs; one that has ended and was not collected does not. */
export function runs(pid: number): boolean {
  const state = read(`/proc/${pid}/stat`).split(') ').at(-1)?.charAt(0) ?? '';
  return state !== '' && state !== 'Z';
}

function ussOf(pid: number): number {
  const lines = read(`/proc/${pid}/smaps_rollup`).split('\n');
  return sum(lines.filter((line) => line.startsWith('Private_')).map((line) => Number(line.split(/\s+/)[1]) * 1024));
}

function parentOf(pid: number): number {
  return Number(read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1] ?? 0);
}

function processIds(): number[] {
  return entries('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function numberAfter(text: string, label: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(label));
  return Number(line?.slice(label.length) ?? 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Processes come and go while /proc is read: what has gone reads as nothing. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function entries(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
