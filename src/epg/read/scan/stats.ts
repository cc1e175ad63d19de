import type { ScannedChannel, ScanStats } from './contract.js';

const day = 86_400;
/** More ids than that are no guide, and would fill the memory. */
const mostChannels = 250_000;

type Channel = {
  readonly guideId: string;
  readonly key: string;
  programmes: number;
  first: number;
  last: number;
  near: number;
  soon: number;
  /** Start of the programme that came last. */
  previous: number;
};

/** Counts what goes by. Times are epoch seconds. */
export class Stats {
  readonly #now: number;
  readonly #channels: Channel[] = [];
  /** Index of each folded id. */
  readonly #byKey = new Map<string, number>();
  /** Programmes by the epoch day of their start. */
  readonly #days = new Map<number, number>();
  #programmes = 0;
  #lastDay = Number.NaN;
  #inLastDay = 0;

  constructor(now: number) {
    this.#now = now;
  }

  /** Index of an id; −1 when there are too many. */
  channel(guideId: string, key: string): number {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const index = this.#channels.length;
    if (index >= mostChannels) return -1;
    const unseen = { programmes: 0, first: Infinity, last: -Infinity, near: 0, soon: 0, previous: -Infinity };
    this.#channels.push({ guideId, key, ...unseen });
    this.#byKey.set(key, index);
    return index;
  }

  keyOf(channel: number): string {
    return this.#channels[channel]?.key ?? '';
  }

  /** Start of the channel's programme before. */
  previousStart(channel: number): number {
    return this.#channels[channel]?.previous ?? Number.NEGATIVE_INFINITY;
  }

  /** @param stop 0 when it is not said. */
  programme(index: number, start: number, stop: number): void {
    const channel = this.#channels[index];
    if (channel === undefined) return;
    const end = Math.max(start, stop);
    const ahead = start - this.#now;
    channel.programmes += 1;
    channel.previous = start;
    if (start < channel.first) channel.first = start;
    if (end > channel.last) channel.last = end;
    if (ahead >= -day && ahead < 2 * day) channel.near += 1;
    if (ahead >= 0 && ahead < day) channel.soon += 1;
    this.#programmes += 1;
    this.#count(Math.floor(start / day));
  }

  #count(startDay: number): void {
    if (startDay !== this.#lastDay) {
      this.#flush();
      this.#lastDay = startDay;
    }
    this.#inLastDay += 1;
  }

  #flush(): void {
    if (this.#inLastDay > 0) this.#days.set(this.#lastDay, (this.#days.get(this.#lastDay) ?? 0) + this.#inLastDay);
    this.#inLastDay = 0;
  }

  result({ bytes, closed }: { bytes: number; closed: boolean }): ScanStats {
    this.#flush();
    const days = [...this.#days].map(([startDay, programmes]) => ({ day: startDay, programmes }));
    days.sort((a, b) => a.day - b.day);
    const channels = this.#channels.map(finished);
    return { programmes: this.#programmes, bytes, closed, median: median(days, this.#programmes), days, channels };
  }
}

function finished({ guideId, key, programmes, first, last, near, soon }: Channel): ScannedChannel {
  const hasAny = programmes > 0;
  return { guideId, key, programmes, first: hasAny ? first : null, last: hasAny ? last : null, near, soon };
}

function median(days: ScanStats['days'], programmes: number): number | null {
  let passed = 0;
  for (const counted of days) {
    passed += counted.programmes;
    if (passed * 2 >= programmes) return counted.day * day + day / 2;
  }
  return null;
}
