import { Readable } from 'node:stream';
import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { WeirError } from './errors.js';
import { Gather, tooLarge } from './gather.js';
import { gunzip, inflate, inflateRaw, unxz } from './inflate.js';
import { listMembers, type Member, readMember } from './zip.js';

type Options = {
  /** Bytes that may come out, and come out of any layer: more is refused as soon as it shows. */
  readonly maxBytes: number;
  /** What is looked for first among the members of a zip; lists unless said. */
  readonly prefer?: 'lists' | 'guides';
};
type Chunks = AsyncIterable<Uint8Array>;
type Layer = Required<Options> & { readonly layersLeft: number };
type Format = {
  readonly name: string;
  /** Whether a body that begins so is one. */
  readonly isMet: (head: Uint8Array) => boolean;
  /** Null where it is known, and not read. */
  readonly unpack: ((chunks: Chunks, layer: Layer) => Chunks) | null;
};

/** A list in a gzip file in a zip file in a gzip answer is the worst that is met. */
const mostLayers = 3;

const formats: readonly Format[] = [
  { name: 'gzip', isMet: magic(0x1f, 0x8b), unpack: (chunks, layer) => unpack(gunzip(chunks), layer) },
  {
    name: 'xz',
    isMet: magic(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00),
    unpack: (chunks, layer) => unpack(unxz(chunks), layer),
  },
  { name: 'zip', isMet: magic(0x50, 0x4b, 0x03, 0x04), unpack: unzip },
  { name: 'zip', isMet: magic(0x50, 0x4b, 0x05, 0x06), unpack: unzip },
  { name: 'bzip2', isMet: magic(0x42, 0x5a, 0x68), unpack: null },
  { name: 'Zstandard', isMet: magic(0x28, 0xb5, 0x2f, 0xfd), unpack: null },
  { name: '7z', isMet: magic(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c), unpack: null },
  { name: 'RAR', isMet: magic(0x52, 0x61, 0x72, 0x21, 0x1a, 0x07), unpack: null },
  { name: 'zlib', isMet: isZlib, unpack: (chunks, layer) => unpack(inflate(chunks), layer) },
  {
    name: 'deflate',
    isMet: isRawDeflate,
    unpack: (chunks, layer) => unpack(inflateRaw(chunks, 'deflate body'), layer),
  },
];
/** Bytes that are looked at. */
const headSize = 1024;

function magic(...bytes: readonly number[]): (head: Uint8Array) => boolean {
  return (head) => bytes.every((byte, index) => head[index] === byte);
}

/** RFC 1950 §2.2: deflate with a window of 32 KiB, and a check that comes out even. A list may begin with the same two bytes. */
function isZlib(head: Uint8Array): boolean {
  const [method = 0, flags = 0] = head;
  return method === 0x78 && (method * 256 + flags) % 31 === 0 && inflatesToText(head, inflateSync);
}

/** RFC 1951 has no mark: it is what is no text, and becomes a guide or a list. */
function isRawDeflate(head: Uint8Array): boolean {
  const isText = head.subarray(0, 64).every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
  return !isText && inflatesToText(head, inflateRawSync);
}

const blanksAndMark = /^(?:\xef\xbb\xbf)?\s*/;

function inflatesToText(head: Uint8Array, inflateHead: typeof inflateSync): boolean {
  try {
    // A flush lets the head end anywhere.
    const text = inflateHead(head, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 2 ** 21 }).toString(
      'latin1',
    );
    return /^(?:<[!?a-z]|#EXT)/i.test(text.replace(blanksAndMark, ''));
  } catch {
    return false;
  }
}

/**
 * Unpacks gzip (RFC 1952), xz, zip, and deflate with zlib's wrapping or none, told by their first bytes, up to three of them
 * one inside the other; anything else is given back as it is. Of a zip with several members the M3U lists come out, else the
 * guides (or these first), else the texts, else all of them, joined by line feeds.
 * @throws WeirError `limit-reached` when it is too large; `invalid` when it is cut off, damaged or of another format.
 */
export async function decompress(body: Uint8Array | Chunks, options: Options): Promise<Uint8Array> {
  const { maxBytes } = options;
  if (!(body instanceof Uint8Array)) return await gathered(decompressed(body, options), maxBytes);
  if (formatOf(body.subarray(0, headSize)) !== null)
    return await gathered(decompressed(Readable.from([body]), options), maxBytes);
  if (body.length > maxBytes) throw tooLarge(maxBytes);
  return body;
}

/**
 * The same piece by piece, for what is not to be held in memory as a whole; only a zip is, as it comes packed. A piece is valid
 * until the next one is asked for; the same may be so of those given.
 */
export function decompressed(chunks: Chunks, { maxBytes, prefer = 'lists' }: Options): Chunks {
  return unpack(chunks, { maxBytes, prefer, layersLeft: mostLayers + 1 });
}

async function* unpack(chunks: Chunks, layer: Layer): AsyncGenerator<Uint8Array> {
  const { head, all } = await peek(limited(chunks, layer.maxBytes));
  const format = formatOf(head);
  if (format === null) return yield* all;
  if (format.unpack === null)
    throw new WeirError('invalid', `It is packed with ${format.name}, which is not read. Use gzip, xz or zip.`);
  if (layer.layersLeft === 1)
    throw new WeirError('invalid', `It is packed more than ${mostLayers} times, one inside the other.`);
  yield* format.unpack(all, { ...layer, layersLeft: layer.layersLeft - 1 });
}

function formatOf(head: Uint8Array): Format | null {
  return formats.find(({ isMet }) => isMet(head)) ?? null;
}

const lists = /\.m3u8?(?:\.[gx]z)?$/i;
const guides = /\.xml(?:tv)?(?:\.[gx]z)?$/i;
const texts = /\.txt(?:\.[gx]z)?$/i;
/** Either before texts such as a readme. */
const wanted = { lists: [lists, guides, texts], guides: [guides, lists, texts] };

async function* unzip(chunks: Chunks, layer: Layer): AsyncGenerator<Uint8Array> {
  const archive = await gathered(chunks, layer.maxBytes);
  const members = listMembers(archive);
  const ending = wanted[layer.prefer].find((pattern) => members.some(({ name }) => pattern.test(name)));
  const chosen = members.filter(({ name }) => ending?.test(name) ?? true);
  yield* limited(joinedMembers(archive, chosen, layer), layer.maxBytes);
}

async function* joinedMembers(archive: Uint8Array, members: readonly Member[], layer: Layer) {
  for (const [index, member] of members.entries()) {
    if (index > 0) yield Buffer.from('\n');
    yield* unpack(readMember(archive, member), layer);
  }
}

/** The first bytes, and all of them again. */
async function peek(chunks: AsyncGenerator<Uint8Array>): Promise<{ head: Uint8Array; all: Chunks }> {
  let head = Buffer.alloc(0);
  while (head.length < headSize) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, all: resumed(head, chunks) };
}

async function* resumed(head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    yield* rest;
  } finally {
    // Lets go of the file or socket where nobody read on.
    await rest.return(undefined);
  }
}

async function* limited(chunks: Chunks, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

async function gathered(chunks: Chunks, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const gather = new Gather(maxBytes, null);
  for await (const chunk of chunks) gather.add(chunk);
  return gather.whole();
}
