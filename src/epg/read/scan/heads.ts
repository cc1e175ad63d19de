import { type ZoneClock, zoneClock } from '../../../lib/zone-clock.js';
import { createFastTime, type FastTime } from '../time/fast-time.js';
import { readTime } from '../time/read-time.js';
import type { ProgrammeHead, ReadOptions, ScanSink } from './contract.js';
import { GuideIds } from './guide-ids.js';
import type { StartTag } from './start-tag.js';
import { Stats } from './stats.js';

const year = 31_557_600;
/** Seconds from now. Outside of them nothing is shown, and a wrong time is what stands there. */
const farthest = 20 * year;
/** Seconds. */
const longestProgramme = 31 * 86_400;

type Options = ReadOptions & { readonly now: number; readonly declared: string | null };

/** Reads when and where a programme is shown, and counts it. */
export class Heads {
  readonly stats: Stats;
  readonly #head: ProgrammeHead = { offset: 0, channel: 0, key: '', start: 0, stop: 0, hasMore: false };
  readonly #now: number;
  readonly #sink: ScanSink;
  readonly #zone: ZoneClock;
  readonly #fastTime: FastTime;
  readonly #ids: GuideIds;

  /** @throws RangeError when the time zone is none. */
  constructor(sink: ScanSink, { now, timeZone, encoding, declared }: Options) {
    this.#sink = sink;
    this.#now = now;
    this.#zone = zoneClock(timeZone);
    this.#fastTime = createFastTime(this.#zone);
    this.stats = new Stats(now);
    this.#ids = new GuideIds(this.stats, { encoding, declared });
  }

  /** Null, and told, when its channel or its start is missing or unreadable. */
  read(window: Buffer, tag: StartTag, offset: number): ProgrammeHead | null {
    const channel = tag.channelFrom < 0 ? -1 : this.#ids.index(window, tag.channelFrom, tag.channelTo);
    if (channel < 0) return this.#refuse('no-channel', offset, 'A programme names no channel.');
    if (tag.startFrom < 0) return this.#refuse('no-time', offset, 'A programme has no start.');
    const start = this.#time(window, tag.startFrom, tag.startTo, this.stats.previousStart(channel));
    if (Number.isNaN(start)) return this.#refuse('bad-time', offset, unreadable('start', window, tag));
    if (Math.abs(start - this.#now) > farthest)
      return this.#refuse(
        'too-far',
        offset,
        `A programme starts ${new Date(start * 1000).toISOString().slice(0, 10)}.`,
      );
    return this.#fill(channel, start, this.#stop(window, tag, start, offset), tag, offset);
  }

  #fill(channel: number, start: number, stop: number, tag: StartTag, offset: number): ProgrammeHead {
    this.stats.programme(channel, start, stop);
    const head = this.#head;
    head.offset = offset;
    head.channel = channel;
    head.key = this.stats.keyOf(channel);
    head.start = start;
    head.stop = stop;
    head.hasMore = tag.others.length > 0;
    return head;
  }

  #stop(window: Buffer, tag: StartTag, start: number, offset: number): number {
    if (tag.stopFrom < 0 || tag.stopFrom === tag.stopTo) return 0;
    const stop = this.#time(window, tag.stopFrom, tag.stopTo, start);
    if (stop > start && stop - start <= longestProgramme) return stop;
    if (Number.isNaN(stop)) this.#sink.problem('bad-time', offset, unreadable('stop', window, tag));
    else if (stop <= start) this.#sink.problem('backwards', offset, 'A programme stops no later than it starts.');
    else this.#sink.problem('too-far', offset, `A programme lasts ${Math.round((stop - start) / 86_400)} days.`);
    return 0;
  }

  #time(window: Buffer, from: number, to: number, after: number): number {
    const time = this.#fastTime(window, from, to, after);
    return Number.isNaN(time) ? (readTime(window.toString('latin1', from, to), this.#zone, after) ?? time) : time;
  }

  #refuse(code: Parameters<ScanSink['problem']>[0], offset: number, message: string): null {
    this.#sink.problem(code, offset, message);
    return null;
  }
}

function unreadable(name: 'start' | 'stop', window: Buffer, tag: StartTag): string {
  const [from, to] = name === 'start' ? [tag.startFrom, tag.startTo] : [tag.stopFrom, tag.stopTo];
  return `The ${name} of a programme is no time: "${window.toString('utf8', from, Math.min(to, from + 40))}".`;
}
