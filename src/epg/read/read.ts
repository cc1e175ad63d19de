import { messageOf, WeirError } from '../../lib/errors.js';
import { zoneClock } from '../../lib/zone-clock.js';
import type { GuideChannel, GuideProblem } from '../../model/guide.js';
import { linkKey } from '../../model/guide.js';
import type { Programme, ProgrammeContent } from '../../model/programme.js';
import { mergeChannels, parseChannel } from './channel.js';
import { type ParseOptions, readElements, type Slices } from './elements.js';
import { programmeOf } from './normalise/programme.js';
import { Problems } from './problems.js';
import { refusal } from './refuse.js';
import type { ProgrammeHead, Scanner, ScanSink, ScanStats } from './scan/contract.js';
import { createScanner } from './scan/scanner.js';

export type ReadGuideOptions = {
  /** IANA name: of times without a zone; null is UTC. */
  readonly timeZone?: string | null;
  /** Label of the Encoding Standard: of texts that are neither UTF-8 nor what the guide declares; null guesses. */
  readonly encoding?: string | null;
  /** Whether the programmes of a guide channel, by its folded id, are kept; all of them are read. */
  readonly wanted: 'all' | ((key: string) => boolean);
  /** Epoch seconds. */
  readonly now: number;
};

export type Guide = {
  /** In file order: those with a `<channel>`, then those that only programmes name. One for each folded id. */
  readonly channels: readonly GuideChannel[];
  /** Of the whole guide, in epoch seconds; `last` is the latest end, or start where none is said. */
  readonly programmes: { readonly count: number; readonly first: number | null; readonly last: number | null };
  /** Of wanted channels, by folded id, in file order. */
  readonly byChannel: ReadonlyMap<string, readonly Programme[]>;
  readonly problems: readonly GuideProblem[];
  /** Why it is no guide at all; null when it is one. */
  readonly refusal: string | null;
};

/** Programmes that are gathered before they are read. */
const atOnce = 64;
/** Bytes by which is told whether it is a guide. */
const headSize = 4096;

/**
 * Reads a whole guide from its inflated bytes, in this thread; nothing is held but what is wanted. What cannot be read is
 * told, as is an end that comes too early.
 * @throws what `chunks` throws before anything came.
 */
export async function readGuide(chunks: AsyncIterable<Uint8Array>, options: ReadGuideOptions): Promise<Guide> {
  const reader = new GuideReader(options);
  for await (const chunk of untilFault(chunks, reader)) if (!reader.push(chunk)) break;
  return reader.end();
}

async function* untilFault(chunks: AsyncIterable<Uint8Array>, reader: GuideReader): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (reader.isEmpty) throw error;
    const message = error instanceof WeirError ? error.message : `It breaks off: ${messageOf(error)}.`;
    reader.problems.add('truncated', null, message);
  }
}

type Waiting = { readonly bytes: Uint8Array; readonly offset: number; readonly head: Airing };
type Airing = { readonly key: string; readonly start: number; readonly stop: number | null };

class GuideReader implements ScanSink {
  readonly problems = new Problems();
  readonly #options: ParseOptions & Pick<ReadGuideOptions, 'wanted'>;
  readonly #scanner: Scanner;
  readonly #channels = new Map<string, GuideChannel>();
  readonly #byChannel = new Map<string, Programme[]>();
  readonly #span = { count: 0, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  #waiting: Waiting[] = [];
  /** The first bytes, until they said what they are. */
  #head: Uint8Array | null = new Uint8Array();
  #refusal: string | null = null;

  constructor({ timeZone = null, encoding = null, wanted, now }: ReadGuideOptions) {
    this.#scanner = createScanner(this, { timeZone, encoding, now });
    const scanner = this.#scanner;
    this.#options = {
      timeZone,
      encoding,
      wanted,
      // Not known before the first bytes are scanned.
      get declared() {
        return scanner.declaredEncoding;
      },
    };
  }

  get isEmpty(): boolean {
    return this.#head?.length === 0;
  }

  /** False when no more is of use. */
  push(chunk: Uint8Array): boolean {
    if (this.#head === null) this.#scanner.push(chunk);
    else {
      this.#head = Buffer.concat([this.#head, chunk]);
      if (this.#head.length >= headSize) this.#begin(this.#head);
    }
    return this.#refusal === null;
  }

  end(): Guide {
    if (this.#head !== null) this.#begin(this.#head);
    if (this.#refusal === null) {
      this.#listUnnamed(this.#scanner.end());
      this.#flush();
      if (this.#channels.size === 0 && this.#span.count === 0)
        this.#refuse('It names no channel, and holds no programme that can be read.');
    }
    const { count, first, last } = this.#span;
    return {
      channels: [...this.#channels.values()],
      programmes: { count, first: count === 0 ? null : first, last: count === 0 ? null : last },
      byChannel: this.#byChannel,
      problems: this.problems.all(),
      refusal: this.#refusal,
    };
  }

  channel(bytes: Uint8Array, offset: number): void {
    const channel = parseChannel(bytes, this.#options, (code, message) => this.problem(code, offset, message));
    if (channel === null) return;
    const key = linkKey(channel.guideId);
    const known = this.#channels.get(key);
    if (known !== undefined) this.problem('duplicate-channel', offset, `The channel ${channel.guideId} stands twice.`);
    this.#channels.set(key, known === undefined ? channel : mergeChannels(known, channel));
  }

  head(): boolean {
    return true;
  }

  programme({ offset, key, start, stop }: ProgrammeHead, bytes: Uint8Array): void {
    this.#waiting.push({ bytes: Buffer.from(bytes), offset, head: { key, start, stop: stop === 0 ? null : stop } });
    if (this.#waiting.length === atOnce) this.#flush();
  }

  problem(code: GuideProblem['code'], offset: number, message: string): void {
    this.problems.add(code, offset, message);
  }

  #begin(head: Uint8Array): void {
    this.#head = null;
    const reason = refusal(head);
    if (reason === null) this.#scanner.push(head);
    else this.#refuse(reason);
  }

  #refuse(reason: string): void {
    this.#refusal = reason;
    this.problems.add('not-a-guide', 0, reason);
  }

  #flush(): void {
    const waiting = this.#waiting.splice(0);
    const zone = zoneClock(this.#options.timeZone);
    readElements(slicesOf(waiting), this.#options, this.problems, {
      take: (element, index, tell) => {
        const content = programmeOf(element, tell, zone);
        const head = waiting[index]?.head;
        if (content !== null && head !== undefined) this.#take(head, content);
        return content !== null;
      },
      refuse: (problem) => this.problems.merge(problem),
    });
  }

  #take({ key, start, stop }: Airing, content: ProgrammeContent): void {
    const { wanted } = this.#options;
    const span = this.#span;
    span.count += 1;
    span.first = Math.min(span.first, start);
    span.last = Math.max(span.last, stop ?? start);
    if (wanted !== 'all' && !wanted(key)) return;
    const programmes = this.#byChannel.get(key);
    if (programmes === undefined) this.#byChannel.set(key, [{ start, stop, content }]);
    else programmes.push({ start, stop, content });
  }

  #listUnnamed({ channels }: ScanStats): void {
    for (const { key, guideId } of channels)
      if (!this.#channels.has(key)) this.#channels.set(key, { guideId, names: [], icons: [], urls: [] });
  }
}

function slicesOf(waiting: readonly Waiting[]): Slices {
  let end = 0;
  return {
    bytes: Buffer.concat(waiting.map(({ bytes }) => bytes)),
    ends: waiting.map(({ bytes }) => {
      end += bytes.length;
      return end;
    }),
    offsets: waiting.map(({ offset }) => offset),
  };
}
