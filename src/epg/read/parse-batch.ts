import { zoneClock } from '../../lib/zone-clock.js';
import type { GuideProblem } from '../../model/guide.js';
import type { PackedTexts } from '../../store/guide/contract.js';
import { type ParseOptions, readElements } from './elements.js';
import { programmeOf } from './normalise/programme.js';
import { Problems } from './problems.js';
import { TextPacker } from './text-packer.js';

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
  const problems = new Problems();
  const unreadable: Unreadable[] = [];
  const packer = new TextPacker(batch.bytes.length);
  const zone = zoneClock(options.timeZone);
  readElements(batch, options, problems, {
    take(element, index, tell) {
      const content = programmeOf(element, tell, zone);
      if (content !== null) packer.add(batch.texts[index] ?? 0, content);
      return content !== null;
    },
    refuse: (problem, index) => unreadable.push({ text: batch.texts[index] ?? 0, problem }),
  });
  return { texts: packer.packed(), unreadable, problems: problems.all() };
}
