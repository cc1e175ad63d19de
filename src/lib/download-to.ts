import { pipeline } from 'node:stream/promises';
import { type Answer, type DownloadOptions, decoderOf, field, limited, validatorsOf, withAnswer } from './download.js';
import { tooLarge } from './gather.js';
import { lent } from './lent.js';

type Chunks = AsyncIterable<Uint8Array>;
type Options = Omit<DownloadOptions, 'maxBytes'> & {
  /** Bytes of the body as it comes. */
  readonly maxBytes: number;
};

export type Fetched<T> = {
  /** What the sink made of the body. */
  readonly kept: T;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

/**
 * Fetches a body as `download` does, and gives it away piece by piece as it comes: nothing is held. What an answer packed
 * with gzip stays packed: a guide is kept that way, and told by its first bytes. The sink must read to the end, and be done
 * with a piece before it asks for the next one; what it has got is whole only when this resolves. Null when the copy at hand is the newest.
 * @throws WeirError as `download` does.
 */
export async function downloadTo<T>(
  address: string,
  { maxBytes, ...options }: Options,
  sink: (chunks: Chunks) => Promise<T>,
): Promise<Fetched<T> | null> {
  return await withAnswer(address, options, async (answer, signal) => {
    const length = Number(field(answer, 'content-length') ?? 0);
    if (length > maxBytes) throw tooLarge(maxBytes);
    const kept = await pour(answer, { maxBytes, signal }, sink);
    return { kept, ...validatorsOf(answer) };
  });
}

async function pour<T>(
  answer: Answer,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
  sink: (chunks: Chunks) => Promise<T>,
): Promise<T> {
  const isGzip = /^(?:x-)?gzip$/i.test(field(answer, 'content-encoding') ?? '');
  const decoder = isGzip ? null : decoderOf(answer);
  const taken: { value?: { readonly kept: T } } = {};
  const end = async (chunks: Chunks) => {
    taken.value = { kept: await sink(lent(chunks)) };
  };
  if (decoder === null) await pipeline(answer.body, limited(maxBytes), end, { signal });
  else await pipeline(answer.body, limited(maxBytes), decoder, end, { signal });
  if (taken.value === undefined) throw new Error('The body was not read.');
  return taken.value.kept;
}
