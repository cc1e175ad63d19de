import { guideKey } from '../model/guide.js';
import type { PackedAirings } from '../store/guide/contract.js';
import { type Airings, rowSize } from './known.js';
import { ListedChannels } from './listed-channels.js';
import { parseChannel } from './read/channel.js';
import { contentHash } from './read/content-hash.js';
import { Problems } from './read/problems.js';
import type { ProgrammeHead, ReadOptions, ScanSink } from './read/scan/contract.js';
import { Slices } from './slices.js';

/** A guide channel whose programmes a pass reads. */
export type Target = {
  /** Its number in guide.db. */
  readonly channel: number;
  /** Epoch seconds: programmes that ended before are of no use. */
  readonly since: number;
};

type Options = {
  readonly read: ReadOptions;
  /** How the guide is read: contents read in another way are others. */
  readonly manner: string;
  /** By folded id. */
  readonly targets: ReadonlyMap<string, Target>;
  readonly known: Airings;
  /** Of the first new content. */
  readonly nextText: number;
  /** Whether `<channel>` elements are read. */
  readonly lists: boolean;
  /** What the prolog declares, once that is known. */
  readonly declared: () => string | null;
};

/** Rows of airings that are written at once. */
const rowsAtOnce = 2000;
/** Seconds of a programme that does not say when it stops. */
const longest = 86_400;

/** What becomes of the programmes of one guide: which are known, which only shown anew, and which are to be parsed. */
export class Pass implements ScanSink {
  readonly slices = new Slices();
  readonly problems = new Problems();
  readonly channels = new ListedChannels();
  /** Of wanted channels. */
  wanted = 0;
  unchanged = 0;
  reused = 0;
  parsed = 0;
  readonly #options: Options;
  readonly #hash: ReturnType<typeof contentHash>;
  readonly #ready: PackedAirings[] = [];
  /** By index of the channel in the scan; null of those not wanted. */
  readonly #targets: (Target | null)[] = [];
  #target: Target | null = null;
  #rows = new Float64Array(rowsAtOnce * rowSize);
  #used = 0;
  #nextText: number;

  constructor(options: Options) {
    this.#options = options;
    this.#hash = contentHash(options.manner);
    this.#nextText = options.nextText;
  }

  channel(bytes: Uint8Array, offset: number): void {
    if (!this.#options.lists) return;
    const { read, declared } = this.#options;
    const channel = parseChannel(bytes, { ...read, declared: declared() }, (code, message) =>
      this.problem(code, offset, message),
    );
    const key = guideKey(channel?.guideId ?? null);
    if (channel === null || key === null) return;
    if (!this.channels.add(key, channel))
      this.problem('duplicate-channel', offset, `The channel ${channel.guideId} stands twice.`);
  }

  head(head: ProgrammeHead): boolean {
    let target = this.#targets[head.channel];
    if (target === undefined) {
      target = this.#options.targets.get(head.key) ?? null;
      this.#targets[head.channel] = target;
    }
    this.#target = target;
    return target !== null && endOf(head.start, head.stop) > target.since;
  }

  programme(
    head: ProgrammeHead,
    bytes: Uint8Array,
    { from, to }: { readonly from: number; readonly to: number },
  ): void {
    const channel = this.#target?.channel ?? 0;
    const { known } = this.#options;
    const hash = this.#hash(bytes, from, to, head.hasMore);
    const row = known.find(channel, head.start, head.stop, hash);
    if (row >= 0) {
      this.#meet(row, head.offset);
      return;
    }
    this.wanted += 1;
    let text = known.textOf(hash);
    if (text === 0) {
      text = this.#nextText;
      this.#nextText += 1;
      this.parsed += 1;
      this.slices.add(bytes, text, head.offset);
    } else {
      this.reused += 1;
    }
    known.add(channel, head.start, head.stop, hash, text);
    this.#write(channel, head.start, head.stop, hash, text);
  }

  problem(code: Parameters<ScanSink['problem']>[0], offset: number, message: string): void {
    // How the whole of it ends is said once, when that is known.
    if (code !== 'truncated') this.problems.add(code, offset, message);
  }

  /** New airings that are to be written; undefined when there is no full batch. */
  nextRows(): PackedAirings | undefined {
    return this.#ready.shift();
  }

  /** The last batches are as full as they are. */
  end(): void {
    this.slices.end();
    this.#close();
  }

  #meet(row: number, offset: number): void {
    if (!this.#options.known.see(row)) {
      this.problem('duplicate-programme', offset, 'A programme stands twice.');
      return;
    }
    this.wanted += 1;
    this.unchanged += 1;
  }

  #write(channel: number, start: number, stop: number, hash: number, text: number): void {
    const rows = this.#rows;
    const at = this.#used;
    rows[at] = channel;
    rows[at + 1] = start;
    rows[at + 2] = stop;
    rows[at + 3] = hash;
    rows[at + 4] = text;
    this.#used += rowSize;
    if (this.#used === rows.length) this.#close();
  }

  #close(): void {
    if (this.#used === 0) return;
    this.#ready.push(this.#rows.slice(0, this.#used));
    this.#used = 0;
  }
}

/** When a programme ends at the latest. */
export function endOf(start: number, stop: number): number {
  return stop === 0 ? start + longest : stop;
}
