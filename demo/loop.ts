import { hasPayload, packetSize, pcrOf, pidOf, setContinuity, shiftPcr, shiftTimes, timesOf } from './packet.js';

/** A recording that can be played round and round. Times are in ticks of 27 MHz. */
export type Loop = {
  readonly packets: readonly Uint8Array[];
  /** When each packet is due, from the first clock reference on. */
  readonly due: readonly number[];
  /** Length of a lap: where the first picture follows the last one. */
  readonly duration: number;
};

export type LoopPacket = { readonly bytes: Uint8Array; readonly due: number };

/**
 * Reads a single-programme recording. Its pictures must have one constant duration and its clock must not wrap.
 * @throws when it is not whole TS packets, or has too few clock references or pictures to be timed.
 */
export function readLoop(recording: Uint8Array): Loop {
  if (recording.length % packetSize !== 0) throw new Error('The recording is not a whole number of TS packets.');
  const packets = Array.from({ length: recording.length / packetSize }, (_, index) =>
    recording.subarray(index * packetSize, (index + 1) * packetSize),
  );
  if (packets.some((packet) => packet[0] !== 0x47)) throw new Error('The recording has lost TS synchronisation.');
  const clock = packets.flatMap((packet, index) => {
    const pcr = pcrOf(packet);
    return pcr === null ? [] : [{ index, pcr, pid: pidOf(packet) }];
  });
  const [first] = clock;
  if (first === undefined) throw new Error('The recording has no clock reference.');
  const duration = lapOf(packets.filter((packet) => pidOf(packet) === first.pid));
  const end = { index: packets.length + first.index, pcr: first.pcr + duration };
  return { packets, due: schedule(packets.length, [...clock, end]), duration };
}

/** From the first decoding time to one picture after the last. */
function lapOf(packets: readonly Uint8Array[]): number {
  const times = packets.flatMap((packet) => timesOf(packet)?.dts ?? []);
  const [first, second] = times;
  const last = times.at(-1);
  if (first === undefined || second === undefined || last === undefined) {
    throw new Error('The recording has fewer than two timed pictures.');
  }
  return last - first + (second - first);
}

/** Spreads packets evenly between clock references, as their multiplexer meant them (§2.4.2.2). */
function schedule(count: number, clock: readonly { index: number; pcr: number }[]): number[] {
  const start = clock[0]?.pcr ?? 0;
  const due = new Array<number>(count).fill(0);
  for (const [position, from] of clock.entries()) {
    const to = clock[position + 1];
    if (to === undefined) break;
    const step = (to.pcr - from.pcr) / (to.index - from.index);
    for (let index = from.index; index < Math.min(to.index, count); index += 1) {
      due[index] = from.pcr - start + (index - from.index) * step;
    }
  }
  return due;
}

/** The loop without end: clocks, times and continuity counters go on across each seam as if there were none. */
export function* playLoop({ packets, due, duration }: Loop): Generator<LoopPacket, never> {
  /** The next continuity counter of each PID. */
  const counters = new Map<number, number>();
  for (let lap = 0; ; lap += 1) {
    for (const [index, packet] of packets.entries()) {
      const bytes = Uint8Array.from(packet);
      shiftPcr(bytes, lap * duration);
      shiftTimes(bytes, lap * duration);
      count(bytes, counters);
      yield { bytes, due: lap * duration + (due[index] ?? 0) };
    }
  }
}

/** Without payload a packet repeats the counter of the one before (§2.4.3.3). */
function count(packet: Uint8Array, counters: Map<number, number>): void {
  const pid = pidOf(packet);
  const next = counters.get(pid) ?? 0;
  setContinuity(packet, hasPayload(packet) ? next : next + 15);
  if (hasPayload(packet)) counters.set(pid, (next + 1) & 15);
}
