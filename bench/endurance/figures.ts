import { readdirSync, readFileSync } from 'node:fs';
import type { StreamStatus } from '../../src/model/stream.js';
import type { Weir } from '../../test/support/weir.js';
import { usageOf } from '../processes.js';

/** What a process holds: bytes, and open descriptors. */
export type Holding = { readonly rss: number; readonly uss: number; readonly descriptors: number };

/** One look at Weir. */
export type Sample = {
  /** Seconds since the start. */
  readonly at: number;
  readonly pump: Holding | null;
  /** Milliseconds that the pump has been ready to run and had no processor, since it started: what it lost then is not its fault. */
  readonly waited: number;
  /** Null while it is away. */
  readonly node: Holding | null;
  /** Null when Node did not answer. */
  readonly streams: readonly StreamStatus[] | null;
};

/** What a process holds now, or null when it does not run. */
export function holdingOf(pid: number): Holding | null {
  const rss = rssOf(pid);
  return rss === 0 ? null : { rss, uss: usageOf([pid]).uss, descriptors: descriptorsOf(pid) };
}

/** Bytes in memory, 0 when it does not run. Unlike USS this costs the process nothing. */
export function rssOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Open descriptors, 0 when it does not run. */
export function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

export async function sample(weir: Weir, at: number): Promise<Sample> {
  const [pump] = weir.pumps();
  const streams = await weir.streams().catch(() => null);
  return {
    at,
    pump: pump === undefined ? null : holdingOf(pump),
    waited: pump === undefined ? 0 : waitedOf(pump),
    node: streams === null ? null : holdingOf(weir.pid),
    streams,
  };
}

/** The second number of /proc/PID/schedstat; the pump has one thread. */
function waitedOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1] ?? 0) / 1e6;
  } catch {
    return 0;
  }
}

/** Datagrams that this machine's processors had no room for: the second column of /proc/net/softnet_stat. */
export function backlogDrops(): number {
  const lines = readFileSync('/proc/net/softnet_stat', 'utf8').trim().split('\n');
  return lines.reduce((sum, line) => sum + Number.parseInt(line.split(' ')[1] ?? '0', 16), 0);
}

const page = 4096;

/** Bytes of the kernel's that all TCP sockets of the machine hold, those of other namespaces too; tcp_mem, tcp(7), says how many they may. */
export function tcpMemory(): number {
  return Number(/^TCP:.* mem (\d+)/m.exec(readFileSync('/proc/net/sockstat', 'utf8'))?.[1] ?? 0) * page;
}

/** What a viewer may miss without the pump's fault: lost before it came, or passed over because the viewer did not read. */
export type Losses = { readonly lost: number; readonly kernelDrops: number; readonly jumps: number };

export function lossesOf(streams: readonly StreamStatus[]): Losses {
  const sum = (pick: (stream: StreamStatus) => number) => streams.reduce((total, stream) => total + pick(stream), 0);
  return {
    lost: sum((stream) => stream.lost),
    kernelDrops: sum((stream) => stream.kernelDrops),
    jumps: sum((stream) => stream.jumps),
  };
}

/** Whether the stream of a group lost anything between the last look before `from` and the first one after `to`, in seconds. */
export function lostBetween(samples: readonly Sample[], group: string, from: number, to: number): boolean {
  const seen = samples.flatMap(({ at, streams }) => {
    const own = streams?.filter(({ upstream }) => upstream.kind !== 'rtsp' && upstream.address === group) ?? [];
    return own.length === 0 ? [] : [{ at, losses: lossesOf(own) }];
  });
  const before = seen.filter(({ at }) => at < from).at(-1)?.losses ?? { lost: 0, kernelDrops: 0, jumps: 0 };
  const after = (seen.find(({ at }) => at > to) ?? seen.at(-1))?.losses ?? before;
  return after.lost > before.lost || after.kernelDrops > before.kernelDrops || after.jumps > before.jumps;
}
