import type { ProgrammeHead, ReadOptions, Scanner, ScanSink, ScanStats } from './contract.js';
import {
  createKind,
  isGuideEnd,
  isInTag,
  isNameEnd,
  type Kind,
  longest,
  type OpenElement,
  tagBefore,
} from './element.js';
import { Heads } from './heads.js';
import { Prolog } from './prolog.js';
import { type Region, Regions } from './regions.js';
import { createTag, isBlank, readTag } from './start-tag.js';
import { Starts } from './starts.js';
import { Window } from './window.js';

const greater = 0x3e;
/** Bytes that are looked at in one go. */
const stride = 256 * 1024;
/** Bytes of a chunk that are copied at first, to see where what was kept ends. */
const bridge = 2048;
/** More than any mark that is searched has, so that none is missed where two chunks meet. */
const longestMark = 16;

/**
 * Finds the channels and programmes of a guide in its inflated bytes, without reading XML as a whole: what is broken costs the
 * element that it stands in and no other. Encodings are any in which ASCII is ASCII, and UTF-16.
 * @param options `now` in epoch seconds.
 * @throws RangeError when the time zone is none, from the first push on.
 */
export function createScanner(sink: ScanSink, options: ReadOptions & { readonly now: number }): Scanner {
  return new GuideScanner(sink, options);
}

class GuideScanner implements Scanner {
  readonly #sink: ScanSink;
  readonly #options: ReadOptions & { readonly now: number };
  readonly #prolog = new Prolog();
  readonly #window = new Window();
  readonly #regions = new Regions((at) => this.#tell('bad-markup', at, 'A comment or CDATA section has no end.'));
  readonly #starts = new Starts();
  readonly #programmes = createKind('programme');
  readonly #channels = createKind('channel');
  readonly #tag = createTag();
  /** Null until the prolog is read. */
  #heads: Heads | null = null;
  #open: OpenElement | null = null;
  /** The programme that is open. */
  #head: ProgrammeHead | null = null;
  /** All before is done with. */
  #at = 0;
  #isEnd = false;
  #isClosed = false;
  #isEmpty = true;
  /** The element in whose middle it ends. */
  #cut: { readonly at: number; readonly name: string } | null = null;

  constructor(sink: ScanSink, options: ReadOptions & { readonly now: number }) {
    this.#sink = sink;
    this.#options = options;
  }

  get declaredEncoding(): string | null {
    return this.#prolog.declared;
  }

  push(chunk: Uint8Array): void {
    for (const bytes of this.#prolog.take(chunk)) this.#feed(bytes);
  }

  end(): ScanStats {
    for (const bytes of this.#prolog.take(null)) this.#feed(bytes);
    this.#isEnd = true;
    const { stats } = this.#begun();
    this.#scan();
    if (!this.#isClosed && !this.#isEmpty) this.#tellCut();
    return stats.result({ bytes: this.#window.base + this.#window.bytes.length, closed: this.#isClosed });
  }

  #feed(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += stride) this.#take(bytes.subarray(at, at + stride));
  }

  #begun(): Heads {
    this.#heads ??= new Heads(this.#sink, { ...this.#options, declared: this.#prolog.declared });
    return this.#heads;
  }

  /**
   * Copies of the chunk no more than what it takes to be done with what was kept of the chunk before, and looks at the rest
   * where it is.
   */
  #take(chunk: Uint8Array): void {
    let taken = 0;
    while (taken < chunk.length && (taken === 0 || this.#window.bytes.length > taken)) {
      const next = Math.min(chunk.length, taken + Math.max(bridge, taken));
      this.#window.append(chunk.subarray(taken, next));
      taken = next;
      this.#slide(this.#scan());
    }
    if (taken === chunk.length) return;
    this.#window.lend(chunk.subarray(taken - this.#window.bytes.length));
    this.#slide(this.#scan(), true);
  }

  /** How many bytes are done with. */
  #scan(): number {
    while (this.#open === null ? this.#seek() : this.#finish(this.#open));
    return this.#open?.from ?? this.#at;
  }

  #slide(count: number, isLent = false): void {
    if (isLent) this.#window.settle(count);
    else this.#window.slide(count);
    this.#regions.shift(count);
    this.#at -= count;
    this.#starts.shift(count);
    this.#programmes.ends.shift(count);
    this.#channels.ends.shift(count);
    if (this.#open === null) return;
    this.#open.from -= count;
    this.#open.content -= count;
    this.#open.search -= count;
  }

  /** Goes on to the next element and reads its start tag. False when more has to come first. */
  #seek(): boolean {
    const { bytes } = this.#window;
    const hit = this.#starts.find(bytes, this.#at);
    if (hit < 0) return this.#skipGap();
    const region = this.#regions.next(bytes, this.#at, this.#isEnd);
    if (region !== null && region.from < hit) return this.#skip(region);
    return this.#start(this.#kindAt(hit), hit);
  }

  #start(kind: Kind, hit: number): boolean {
    const nameEnd = hit + kind.size;
    const state = this.#stateAt(hit, nameEnd);
    if (state === 'unfinished' && !this.#isEnd) {
      this.#pass(hit);
      return false;
    }
    if (state === 'other') {
      this.#pass(nameEnd);
      return true;
    }
    this.#isClosed = false;
    this.#isEmpty = false;
    this.#at = state === 'whole' ? this.#tag.end : nameEnd;
    if (state === 'broken') this.#tell('bad-markup', hit, `A <${kind.name}> has a start tag that cannot be read.`);
    if (state === 'unfinished') this.#cut = { at: hit, name: kind.name };
    if (state === 'whole') this.#opened(kind, hit);
    return true;
  }

  #kindAt(start: number): Kind {
    return this.#window.bytes[start + 1] === this.#programmes.initial ? this.#programmes : this.#channels;
  }

  #stateAt(hit: number, nameEnd: number): 'whole' | 'unfinished' | 'broken' | 'other' {
    const { bytes } = this.#window;
    if (isInTag(bytes, hit, this.#at)) return 'other';
    if (nameEnd >= bytes.length) return 'unfinished';
    if (!isNameEnd(bytes[nameEnd] ?? 0)) return 'other';
    return readTag(bytes, nameEnd, bytes.length, this.#tag);
  }

  #opened(kind: Kind, from: number): void {
    const { bytes, base } = this.#window;
    const { end, isSelfClosed } = this.#tag;
    if (kind === this.#programmes) {
      const head = this.#begun().read(bytes, this.#tag, base + from);
      if (head === null || !this.#sink.head(head)) return;
      this.#head = head;
    }
    this.#open = { kind, from, content: end, search: end };
    if (isSelfClosed) this.#close(this.#open, end, end);
  }

  /** Looks for the end of the open element. False when more has to come first. */
  #finish(open: OpenElement): boolean {
    const { bytes } = this.#window;
    const end = open.kind.ends.find(bytes, open.search);
    const next = this.#starts.find(bytes, open.search);
    const hit = end < 0 || (next >= 0 && next < end) ? next : end;
    if ((hit < 0 ? bytes.length : hit) - open.from > longest) return this.#giveUp(open);
    const region = this.#regions.hiding(bytes, open.search, hit < 0 ? bytes.length : hit, this.#isEnd);
    if (region !== null) {
      open.search = Math.max(open.search, region.to);
      return region.to >= 0;
    }
    if (hit < 0) return this.#isEnd ? this.#cutOff(open) : false;
    return hit === end ? this.#closing(open, end) : this.#unclosed(open, next, next + this.#kindAt(next).size);
  }

  #closing(open: OpenElement, end: number): boolean {
    const { bytes } = this.#window;
    let close = end + open.kind.size + 1;
    while (isBlank(bytes[close] ?? 0) && close < bytes.length) close += 1;
    if (close >= bytes.length) return this.#isEnd ? this.#cutOff(open) : false;
    if (bytes[close] === greater && !isInTag(bytes, end, open.content)) this.#close(open, end, close + 1);
    else open.search = end + open.kind.size + 1;
    return true;
  }

  #close(open: OpenElement, contentEnd: number, end: number): void {
    const { bytes, base } = this.#window;
    const element = bytes.subarray(open.from, end);
    const content = { from: open.content - open.from, to: contentEnd - open.from };
    this.#at = end;
    this.#open = null;
    if (open.kind === this.#channels) this.#sink.channel(element, base + open.from);
    else if (this.#head !== null) this.#sink.programme(this.#head, element, content);
  }

  /** Another element begins before this one has ended. */
  #unclosed(open: OpenElement, next: number, nameEnd: number): boolean {
    const { bytes } = this.#window;
    if (nameEnd >= bytes.length && !this.#isEnd) return false;
    if (!isNameEnd(bytes[nameEnd] ?? greater) || isInTag(bytes, next, open.content)) {
      open.search = nameEnd;
      return true;
    }
    this.#tell('bad-nesting', open.from, `A <${open.kind.name}> is not closed before the next element.`);
    this.#at = next;
    this.#open = null;
    return true;
  }

  #giveUp(open: OpenElement): boolean {
    this.#tell('element-too-long', open.from, `A <${open.kind.name}> is longer than 1 MB.`);
    this.#at = open.content;
    this.#open = null;
    this.#regions.reset();
    this.#starts.reset();
    this.#programmes.ends.reset();
    this.#channels.ends.reset();
    return true;
  }

  #cutOff(open: OpenElement): boolean {
    const { bytes } = this.#window;
    this.#at = open.content;
    this.#open = null;
    this.#regions.reset();
    this.#pass(bytes.length);
    if (this.#isClosed) this.#tell('bad-nesting', open.from, `A <${open.kind.name}> is not closed before the end.`);
    else this.#cut = { at: open.from, name: open.kind.name };
    return false;
  }

  /** Nothing begins in the window any more: keeps what may be the begin of something. */
  #skipGap(): boolean {
    const { bytes } = this.#window;
    const region = this.#regions.next(bytes, this.#at, this.#isEnd);
    if (region !== null) return this.#skip(region);
    const tag = tagBefore(bytes, bytes.length, this.#at);
    // That may be a value of another one.
    const outer = tag < 0 ? -1 : tagBefore(bytes, tag, this.#at);
    const kept = Math.min(bytes.length - longestMark, ...[tag, outer].filter((place) => place >= 0));
    this.#pass(this.#isEnd ? bytes.length : kept);
    return false;
  }

  #skip({ from, to }: Region): boolean {
    this.#pass(Math.max(from, to));
    return to >= 0;
  }

  /** Goes on to a place between elements, past what hides tags. */
  #pass(to: number): void {
    const { bytes } = this.#window;
    for (;;) {
      const region = this.#regions.next(bytes, this.#at, this.#isEnd);
      if (region === null || region.to < 0 || region.to > to) break;
      if (isGuideEnd(bytes, this.#at, region.from)) this.#isClosed = true;
      this.#at = region.to;
    }
    if (isGuideEnd(bytes, this.#at, to)) this.#isClosed = true;
    this.#at = Math.max(this.#at, to);
  }

  #tellCut(): void {
    if (this.#cut === null) this.#tell('truncated', this.#window.bytes.length, 'It ends without </tv>.');
    else this.#tell('truncated', this.#cut.at, `It ends in the middle of a <${this.#cut.name}>.`);
  }

  #tell(code: Parameters<ScanSink['problem']>[0], at: number, message: string): void {
    this.#sink.problem(code, this.#window.base + at, message);
  }
}
