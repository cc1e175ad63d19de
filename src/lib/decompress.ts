import { Readable } from 'node:stream';
import { WeirError } from './errors.js';
import { Gather, tooLarge } from './gather.js';
import { gunzip, unxz } from './inflate.js';
import { listMembers, type Member, readMember } from './zip.js';

type Options = {
  /** Bytes that may come out, and come out of any layer: more is refused as soon as it shows. */
  readonly maxBytes: number;
};
type Chunks = AsyncIterable<Uint8Array>;
type Layer = { readonly maxBytes: number; readonly layersLeft: number };
type Format = {
  readonly name: string;
  readonly magic: readonly number[];
  /** Null where it is known, and not read. */
  readonly unpack: ((chunks: Chunks, layer: Layer) => Chunks) | null;
};

/** A list in a gzip file in a zip file in a gzip answer is the worst that is met. */
const mostLayers = 3;

const formats: readonly Format[] = [
  { name: 'gzip', magic: [0x1f, 0x8b], unpack: (chunks, layer) => unpack(gunzip(chunks), layer) },
  { name: 'xz', magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], unpack: (chunks, layer) => unpack(unxz(chunks), layer) },
  { name: 'zip', magic: [0x50, 0x4b, 0x03, 0x04], unpack: unzip },
  { name: 'zip', magic: [0x50, 0x4b, 0x05, 0x06], unpack: unzip },
  { name: 'bzip2', magic: [0x42, 0x5a, 0x68], unpack: null },
  { name: 'Zstandard', magic: [0x28, 0xb5, 0x2f, 0xfd], unpack: null },
  { name: '7z', magic: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], unpack: null },
  { name: 'RAR', magic: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07], unpack: null },
];
const longestMagic = Math.max(...formats.map(({ magic }) => magic.length));

/**
 * Unpacks gzip (RFC 1952), xz and zip, told by their first bytes, up to three of them one inside the other; anything else
 * is given back as it is. Of a zip with several members the M3U lists come out, else the guides, else the texts, else all
 * of them, joined by line feeds.
 * @throws WeirError `limit-reached` when it is too large; `invalid` when it is cut off, damaged or of another format.
 */
export async function decompress(body: Uint8Array | Chunks, options: Options): Promise<Uint8Array> {
  const { maxBytes } = options;
  if (!(body instanceof Uint8Array)) return await gathered(decompressed(body, options), maxBytes);
  if (formatOf(body) !== null) return await gathered(decompressed(Readable.from([body]), options), maxBytes);
  if (body.length > maxBytes) throw tooLarge(maxBytes);
  return body;
}

/** The same piece by piece, for what is not to be held in memory as a whole; only a zip is, as it comes packed. */
export function decompressed(chunks: Chunks, { maxBytes }: Options): Chunks {
  return unpack(chunks, { maxBytes, layersLeft: mostLayers + 1 });
}

async function* unpack(chunks: Chunks, { maxBytes, layersLeft }: Layer): AsyncGenerator<Uint8Array> {
  const { head, all } = await peek(limited(chunks, maxBytes));
  const format = formatOf(head);
  if (format === null) return yield* all;
  if (format.unpack === null)
    throw new WeirError('invalid', `It is packed with ${format.name}, which is not read. Use gzip, xz or zip.`);
  if (layersLeft === 1)
    throw new WeirError('invalid', `It is packed more than ${mostLayers} times, one inside the other.`);
  yield* format.unpack(all, { maxBytes, layersLeft: layersLeft - 1 });
}

function formatOf(head: Uint8Array): Format | null {
  return formats.find(({ magic }) => magic.every((byte, index) => head[index] === byte)) ?? null;
}

/** Lists before guides before texts such as a readme. */
const wanted = [/\.m3u8?(?:\.[gx]z)?$/i, /\.xml(?:tv)?(?:\.[gx]z)?$/i, /\.txt(?:\.[gx]z)?$/i];

async function* unzip(chunks: Chunks, layer: Layer): AsyncGenerator<Uint8Array> {
  const archive = await gathered(chunks, layer.maxBytes);
  const members = listMembers(archive);
  const ending = wanted.find((pattern) => members.some(({ name }) => pattern.test(name)));
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
  const pieces: Uint8Array[] = [];
  for (let size = 0; size < longestMagic; ) {
    const next = await chunks.next();
    if (next.done === true) break;
    pieces.push(next.value);
    size += next.value.length;
  }
  const head = Buffer.concat(pieces);
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
