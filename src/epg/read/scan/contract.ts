import type { GuideProblem } from '../../../model/guide.js';

export type ReadOptions = {
  /** IANA name: of times without a zone; null is UTC. */
  readonly timeZone: string | null;
  /** Label of the Encoding Standard: of texts that are neither UTF-8 nor what the guide declares; null guesses. */
  readonly encoding: string | null;
};

/** One object, filled anew for each programme: never kept. */
export type ProgrammeHead = {
  /** Of the inflated bytes, where its start tag begins. */
  offset: number;
  /** Index in `ScanStats.channels`. */
  channel: number;
  /** The same channel's folded id. */
  key: string;
  /** Epoch seconds. */
  start: number;
  /** Epoch seconds, after the start; 0 when it is not said. */
  stop: number;
  /** Whether its start tag has attributes other than `start`, `stop` and `channel`. */
  hasMore: boolean;
};

/** What the scanner tells, in the order of the file. Called synchronously; `bytes` are valid during the call only. */
export interface ScanSink {
  /** The whole element. */
  channel(bytes: Uint8Array, offset: number): void;
  /** Every programme whose start and channel can be read. Returns whether the rest of it is to be told. */
  head(head: ProgrammeHead): boolean;
  /** Of those only: the whole element, and where its content begins and ends in it; both at its end when it has none. */
  programme(head: ProgrammeHead, bytes: Uint8Array, content: { readonly from: number; readonly to: number }): void;
  problem(code: GuideProblem['code'], offset: number, message: string): void;
}

export type ScannedChannel = {
  /** As the first programme writes it. */
  readonly guideId: string;
  readonly key: string;
  readonly programmes: number;
  /** Epoch seconds: first start, and latest end (the start of those without). */
  readonly first: number | null;
  readonly last: number | null;
  /** Programmes that start in [now − 1 d, now + 2 d). */
  readonly near: number;
  /** Programmes that start in [now, now + 24 h). */
  readonly soon: number;
};

export type ScanStats = {
  readonly programmes: number;
  /** Inflated, all of them. */
  readonly bytes: number;
  /** Whether `</tv>` follows the last element. */
  readonly closed: boolean;
  /** Median of all starts, to the day: epoch seconds of its noon. */
  readonly median: number | null;
  /** Programmes by the day (epoch days, UTC) of their start, ascending. */
  readonly days: readonly { readonly day: number; readonly programmes: number }[];
  /** Ids that programmes name, in the order in which they came. */
  readonly channels: readonly ScannedChannel[];
};

export interface Scanner {
  /** The chunk is not used after the call. */
  push(chunk: Uint8Array): void;
  end(): ScanStats;
  /** Known from the first programme or channel on. After UTF-16, which is told as UTF-8, `utf-8`. */
  readonly declaredEncoding: string | null;
}
