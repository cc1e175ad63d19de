import { magic, packetSize, performanceTime, pids, place } from './ts.js';

export type Range = { readonly from: number; readonly to: number };

/** Reads what a viewer was sent and keeps what is wrong with it. Expects TS packets of a `TsMaker`, from the first byte on. */
export class TsReader {
  bytes = 0;
  packets = 0;
  /** Packets that do not begin with the sync byte, or whose media bytes are not as they were made. */
  damaged = 0;
  /** Continuity errors on any PID (§2.4.3.3). */
  discontinuities = 0;
  /** Media packets that came again, or after a later one. */
  backwards = 0;
  /** Whether the first media packet began a random-access point; null until one came. */
  beganWithPicture: boolean | null = null;
  /** PIDs of the first packets. */
  readonly firstPids: number[] = [];
  /** Packets seen on each PID. */
  readonly perPid = new Map<number, number>();
  /** Tags of the sources whose packets came. */
  readonly tags = new Set<number>();
  /** Numbers of the media packets that came, in the order of their coming. */
  readonly ranges: Range[] = [];
  /** The greatest age that a media packet had when it came, in milliseconds. */
  oldest = 0;

  readonly #counters = new Map<number, number>();
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const now = performanceTime();
    let at = 0;
    for (; at + packetSize <= data.length; at += packetSize) this.#packet(data, at, now);
    this.#rest = data.subarray(at);
  }

  /** Number of the newest media packet, or -1. */
  get last(): number {
    return this.ranges.at(-1)?.to ?? -1;
  }

  /** How many media packets came. */
  get count(): number {
    return this.ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  }

  /** What lies between the ranges. */
  get gaps(): Range[] {
    return this.ranges.slice(1).map(({ from }, index) => ({ from: (this.ranges[index]?.to ?? 0) + 1, to: from - 1 }));
  }

  /** Numbers of the media packets that are missing between the first and the last that came. */
  get missing(): number[] {
    return this.gaps.flatMap(({ from, to }) =>
      Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index),
    );
  }

  #packet(data: Buffer, at: number, now: number): void {
    this.packets += 1;
    if (data[at] !== 0x47) {
      this.damaged += 1;
      return;
    }
    const pid = data.readUInt16BE(at + 1) & 0x1fff;
    if (this.firstPids.length < 16) this.firstPids.push(pid);
    this.perPid.set(pid, (this.perPid.get(pid) ?? 0) + 1);
    if (pid !== pids.null) this.#continuity(pid, (data[at + 3] ?? 0) & 15);
    if (pid === pids.media) this.#media(data, at, now);
  }

  #continuity(pid: number, counter: number): void {
    const last = this.#counters.get(pid);
    if (last !== undefined && counter !== ((last + 1) & 15)) this.discontinuities += 1;
    this.#counters.set(pid, counter);
  }

  #media(data: Buffer, at: number, now: number): void {
    const number = data.readUInt32BE(at + place.number);
    const filler = number & 0xff;
    const whole = data[at + place.magic - 1] === filler && data[at + packetSize - 1] === filler;
    if (data.readUInt32BE(at + place.magic) !== magic || !whole) {
      this.damaged += 1;
      return;
    }
    this.tags.add(data.readUInt32BE(at + place.tag));
    this.#note(number);
    this.beganWithPicture ??= ((data[at + 1] ?? 0) & 0x40) !== 0;
    this.oldest = Math.max(this.oldest, now - data.readDoubleBE(at + place.sentAt));
  }

  #note(number: number): void {
    const last = this.ranges.at(-1);
    if (last !== undefined && number === last.to + 1) {
      this.ranges[this.ranges.length - 1] = { from: last.from, to: number };
      return;
    }
    if (last !== undefined && number <= last.to) this.backwards += 1;
    this.ranges.push({ from: number, to: number });
  }
}
