import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { tooLarge } from '../lib/gather.js';
import { lent } from '../lib/lent.js';
import { inBlocks, writeBlocks } from '../lib/write-blocks.js';
import { payloadHash } from './payload-hash.js';

type Chunks = AsyncIterable<Uint8Array>;

export type KeptBody = {
  /** Its name in the folder. */
  readonly file: string;
  /** Tells whether a later body holds the same. */
  readonly hash: string;
};

/** The bodies of guides, packed, in a folder of their own: from them what is wanted later is read, without a new download. */
export interface BodyFiles {
  path(file: string): string;
  /**
   * Keeps a body under a name of its own once the whole of it has come: packed ones as they come, others with gzip. Nobody
   * sweeps it away before it is let go. No piece is used any more when the next one is asked for.
   * @throws WeirError `limit-reached`; what the body's source throws.
   */
  keep(source: number, chunks: Chunks): Promise<KeptBody>;
  /** It is in service now, can be accepted, or is of no use. */
  letGo(file: string): void;
  /** Removes all but these and those that were not let go. */
  sweep(named: readonly string[]): Promise<void>;
}

/** Bytes of a guide that comes packed, and of one that does not: 1 GiB and 4 GiB. */
export const maxPacked = 2 ** 30;
export const maxPlain = 4 * 2 ** 30;
const piece = 256 * 1024;
const longestMagic = 6;
const folderName = 'guides';
/** gzip, xz, zip: what is read packed; other archives are refused when they are read, and not made larger before. */
const packed = [
  [0x1f, 0x8b],
  [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00],
  [0x50, 0x4b],
  [0x42, 0x5a, 0x68],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
  [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07],
];

export function openBodyFiles(dir: string): BodyFiles {
  const folder = join(dir, folderName);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const held = new Set<string>();
  let last = Date.now();
  const path = (file: string) => join(folder, file);
  return {
    path,
    async keep(source, chunks) {
      last += 1;
      const file = `${source}-${last}`;
      const part = path(`${file}.part`);
      held.add(file);
      held.add(`${file}.part`);
      try {
        const hash = await write(part, chunks);
        await rename(part, path(file));
        return { file, hash };
      } catch (error) {
        held.delete(file);
        await rm(part, { force: true });
        throw error;
      } finally {
        held.delete(`${file}.part`);
      }
    },
    letGo: (file) => void held.delete(file),
    async sweep(named) {
      const stay = new Set(named);
      for (const file of await readdir(folder))
        if (!stay.has(file) && !held.has(file)) await rm(path(file), { recursive: true, force: true });
    },
  };
}

/** A kept body as it is packed, in pieces that cost few turns of the loop; each is valid until the next one is asked for. */
export function readBody(dir: string, file: string): Chunks {
  return lent(createReadStream(join(dir, folderName, file), { highWaterMark: piece }));
}

/** Resolves with the hash of what was written. */
async function write(path: string, chunks: Chunks): Promise<string> {
  const { head, all } = await peek(inBlocks(chunks));
  const isPacked = packed.some((magic) => magic.every((byte, index) => head[index] === byte));
  const hash = payloadHash(createHash('sha256'));
  const counted = hashed(all, hash.update, isPacked ? maxPacked : maxPlain);
  const written = (bytes: Chunks) => writeBlocks(path, bytes);
  if (isPacked) await written(counted);
  else await pipeline(copied(counted), createGzip({ level: constants.Z_BEST_SPEED, chunkSize: piece }), written);
  return hash.digest();
}

/** For gzip, which takes them when it wants to. */
async function* copied(chunks: Chunks): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Uint8Array.from(chunk);
}

async function* hashed(chunks: Chunks, update: (chunk: Uint8Array) => void, most: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most) throw tooLarge(most);
    update(chunk);
    yield chunk;
  }
}

/** The first bytes, and all of them again. */
async function peek(chunks: Chunks): Promise<{ head: Uint8Array; all: Chunks }> {
  const rest = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < longestMagic) {
    const next = await rest.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return { head, all: resumed(head, rest) };
}

async function* resumed(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.(undefined);
  }
}
