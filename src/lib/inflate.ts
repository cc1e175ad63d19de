import { Readable } from 'node:stream';
import { createGunzip, createInflate, createInflateRaw, type Gunzip, type Inflate, type InflateRaw } from 'node:zlib';
import { messageOf, WeirError } from './errors.js';
import { lent } from './lent.js';

type Chunks = AsyncIterable<Uint8Array>;
type Decoder = Gunzip | Inflate | InflateRaw;

/** Bytes of a piece that comes out. A smaller one costs a hop between threads more often. */
const chunkSize = 256 * 1024;
/** Bytes of a piece that goes in: what it becomes is held in memory, which is a thousand times as much at worst. */
const pieceSizes = { first: 4 * 1024, least: 1024, most: 32 * 1024 };
/** Bytes that a piece may become, about. */
const unpackedSize = 1024 * 1024;

/**
 * gzip, also of several members (RFC 1952 §2.2). What came of one that is cut off is given out before it is said to be so. Here and
 * below a piece is valid until the next one is asked for, and no longer is what it is made of.
 */
export function gunzip(chunks: Chunks): AsyncGenerator<Uint8Array> {
  return lent(through(createGunzip({ chunkSize }), chunks, 'gzip file'));
}

/** Deflate with the wrapping of zlib (RFC 1950), as HTTP calls it. */
export function inflate(chunks: Chunks): AsyncGenerator<Uint8Array> {
  return lent(through(createInflate({ chunkSize }), chunks, 'deflate body'));
}

/** Deflate without any wrapping (RFC 1951), as members of a zip have it, and as some servers take HTTP's deflate. */
export function inflateRaw(chunks: Chunks, what = 'zip file'): AsyncGenerator<Uint8Array> {
  return lent(through(createInflateRaw({ chunkSize }), chunks, what));
}

async function* through(decoder: Decoder, chunks: Chunks, what: string): AsyncGenerator<Uint8Array> {
  const feed = new Feed(decoder);
  try {
    // While one piece is worked on by whoever reads, the next one is unpacked.
    for await (const piece of inPieces(chunks, () => feed.pieceSize)) {
      const ready = feed.take();
      if (feed.isOver) break;
      feed.give(piece);
      yield* ready;
      // The decoder reads the piece where it lies: until then the next one is not asked for.
      await feed.settled;
    }
    yield* feed.take();
    if (!feed.isOver) feed.give(null);
    await feed.settled;
    yield* feed.take();
    if (feed.error !== null) throw unpackError(feed.error, what);
  } finally {
    decoder.destroy();
  }
}

/** Gives pieces to a decoder one by one, and gathers what comes out: an error takes nothing of it away. */
class Feed {
  error: Error | null = null;
  /** When the piece that was given last is unpacked. Never rejects. */
  settled: Promise<void> = Promise.resolve();
  readonly #decoder: Decoder;
  #hasEnded = false;
  #ready: Uint8Array[] = [];
  /** Bytes that went in, and that came out. */
  #given = 0;
  #came = 0;
  #settle: () => void = () => undefined;

  constructor(decoder: Decoder) {
    this.#decoder = decoder;
    decoder.on('data', (chunk: Uint8Array) => {
      this.#came += chunk.length;
      this.#ready.push(chunk);
    });
    decoder.on('end', () => {
      this.#hasEnded = true;
      this.#settle();
    });
    decoder.on('error', (error) => {
      this.error = error;
      this.#settle();
    });
  }

  /** Whether nothing more comes: what follows in the file is none of it. */
  get isOver(): boolean {
    return this.#hasEnded || this.error !== null;
  }

  /** Bytes of the next piece: fewer of what becomes very much, as a bomb does. */
  get pieceSize(): number {
    const { first, least, most } = pieceSizes;
    if (this.#given === 0) return first;
    const fitting = Math.floor((unpackedSize * this.#given) / Math.max(this.#came, 1));
    return Math.min(Math.max(fitting, least), most);
  }

  /** Null is the end. */
  give(piece: Uint8Array | null): void {
    this.#given += piece?.length ?? 0;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
      if (piece === null) this.#decoder.end();
      else this.#decoder.write(piece, () => resolve());
    });
  }

  take(): Uint8Array[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }
}

async function* inPieces(chunks: Chunks, sizeOf: () => number): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + sizeOf());
      at += piece.length;
      yield piece;
    }
  }
}

function unpackError(error: Error, what: string): WeirError {
  const isCutOff = 'code' in error && error.code === 'Z_BUF_ERROR';
  return isCutOff ? cutOff(what) : damaged(what, messageOf(error));
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
      // They are asked for ahead of time.
      for await (const chunk of this.#chunks) yield Uint8Array.from(chunk);
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
