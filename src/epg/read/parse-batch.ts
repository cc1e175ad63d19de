import type { GuideProblem } from '../../model/guide.js';
import type { PackedTexts } from '../../store/guide/contract.js';

/** How texts of a guide are read. */
export type ParseOptions = {
  /** IANA name; of times without a zone; null is UTC. */
  readonly timeZone: string | null;
  /** Of texts that are neither UTF-8 nor what the guide declares; null guesses. */
  readonly encoding: string | null;
  /** What the prolog of the guide declares. */
  readonly declared: string | null;
};

/** Slices for a parse thread: `bytes` is their concatenation, slice i is [ends[i − 1] ?? 0, ends[i]). Its buffers are transferred. */
export type SliceBatch = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  /** Id of the text that is made of each. */
  readonly texts: Float64Array<ArrayBuffer>;
  /** Where each begins in the inflated guide. */
  readonly offsets: Float64Array<ArrayBuffer>;
};

export type Unreadable = { readonly text: number; readonly problem: GuideProblem };

export type ParsedBatch = {
  readonly texts: PackedTexts;
  /** Texts that there are none of, and why: `bad-nesting`, `bad-markup` or `no-title`. They are not among `problems`. */
  readonly unreadable: readonly Unreadable[];
  readonly problems: readonly GuideProblem[];
};

/** Reads `<programme>` elements. Never throws: what cannot be read is told. It takes a processor while it runs. */
export function parseBatch(batch: SliceBatch, options: ParseOptions): ParsedBatch {
  throw new Error(`Not yet: ${batch.ends.length} ${options.declared}`);
}
