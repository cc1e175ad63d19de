import type { GuideChannel, GuideProblem } from '../../model/guide.js';
import type { Programme } from '../../model/programme.js';

export type ReadGuideOptions = {
  /** IANA name; of times without a zone; null is UTC. */
  readonly timeZone?: string | null;
  /** Of texts that are neither UTF-8 nor what the guide declares; null guesses. */
  readonly encoding?: string | null;
  /** Whether the programmes of a guide channel, by its folded id, are kept; all of them are read. */
  readonly wanted: 'all' | ((key: string) => boolean);
  /** Epoch seconds. */
  readonly now: number;
};

export type Guide = {
  /** In file order: those with a `<channel>`, then those that only programmes name. One for each folded id. */
  readonly channels: readonly GuideChannel[];
  /** Of the whole guide; `last` is the latest end, or start where none is said. */
  readonly programmes: { readonly count: number; readonly first: number | null; readonly last: number | null };
  /** Of wanted channels, by folded id, in file order. */
  readonly byChannel: ReadonlyMap<string, readonly Programme[]>;
  readonly problems: readonly GuideProblem[];
  /** Why it is no guide at all; null when it is one. */
  readonly refusal: string | null;
};

/** Reads a whole guide from its inflated bytes, in this thread. What cannot be read is told; it throws what `chunks` throws before anything came. */
export async function readGuide(chunks: AsyncIterable<Uint8Array>, options: ReadGuideOptions): Promise<Guide> {
  for await (const chunk of chunks) throw new Error(`Not yet: ${chunk.length} ${options.now}`);
  throw new Error('Not yet');
}
