import { pipeline, Readable } from 'node:stream';
import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';
import { messageOf, WeirError } from './errors.js';

type Chunks = AsyncIterable<Uint8Array>;

/** Bytes of a piece that comes out. */
const chunkSize = 64 * 1024;

/** gzip, also of several members (RFC 1952 §2.2). */
export function gunzip(chunks: Chunks): AsyncGenerator<Uint8Array> {
  return through(createGunzip({ chunkSize }), chunks, 'gzip file');
}

/** Deflate without any wrapping (RFC 1951), as members of a zip have it. */
export function inflateRaw(chunks: Chunks): AsyncGenerator<Uint8Array> {
  return through(createInflateRaw({ chunkSize }), chunks, 'zip file');
}

async function* through(decoder: Gunzip | InflateRaw, chunks: Chunks, what: string): AsyncGenerator<Uint8Array> {
  const source = new Source(chunks);
  try {
    // What fails there is thrown below, where it is read.
    pipeline(source.chunks(), decoder, () => undefined);
    yield* decoder as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (source.failure !== null) throw source.failure;
    const isCutOff = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
    throw isCutOff ? cutOff(what) : damaged(what, messageOf(error));
  }
}

/** What is unpacked, and what failed there: that is no fault of the archive. */
class Source {
  failure: unknown = null;
  readonly #chunks: Chunks;

  constructor(chunks: Chunks) {
    this.#chunks = chunks;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#chunks;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

/** Says of the decoder (`enum xz_ret` of XZ Embedded). */
const xzCutOff = 8;
const xzUnsupported = [2, 3, 4, 6];

/** xz, also of several streams; its decoder is loaded when it is needed first. */
export async function* unxz(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const { default: decoder } = await import('xz-decompress');
  const source = new Source(chunks);
  try {
    yield* new decoder.XzReadableStream(Readable.toWeb(Readable.from(source.chunks())));
  } catch (error) {
    throw source.failure ?? xzError(error);
  }
}

function xzError(error: unknown): WeirError {
  const code = Number(/error code (\d+)/.exec(messageOf(error))?.[1]);
  if (code === xzCutOff) return cutOff('xz file');
  if (!xzUnsupported.includes(code)) return damaged('xz file', 'its data or check sum is wrong');
  return new WeirError(
    'invalid',
    'The xz file uses a check, a filter or a dictionary that is not read. Use xz --check=crc64.',
  );
}

export function cutOff(what: string): WeirError {
  return new WeirError('invalid', `The ${what} is cut off: its end is missing.`);
}

export function damaged(what: string, how: string): WeirError {
  return new WeirError('invalid', `The ${what} is damaged: ${how}.`);
}
