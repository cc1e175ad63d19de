import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { allOf, type Part } from '../../store/published.js';
import { m3uEntries, m3uHeader } from './m3u.js';
import type { WriteOptions } from './options.js';
import { txtPieces } from './txt.js';
import { encoded } from './write.js';

/** A list as it was written, and where its parts stand in it. */
export type ListFile = {
  readonly path: string;
  readonly bytes: number;
  /** Of its content, without quotes. */
  readonly etag: string;
  readonly parts: readonly WrittenPart[];
};

type WrittenPart = {
  readonly key: string | null;
  /** Bytes. */
  readonly start: number;
  readonly length: number;
  readonly digest: string;
};

/** Text that is written by itself. */
type Section = {
  readonly key: string | null;
  read(): { readonly key: string | null; readonly pieces: Iterable<string> };
};

/**
 * Writes a list into a new file. Parts that the last file of the same list, with the same options, has under the same key are
 * copied from it, unread. @throws Error of the file system, with `code`.
 */
export function writeListFile(
  path: string,
  parts: Iterable<Part>,
  options: WriteOptions,
  last: ListFile | null,
): ListFile {
  const known = new Map(last?.parts.map((part) => [part.key, part]));
  const old = last === null ? null : openIfThere(last.path);
  const file = openSync(path, 'w', 0o600);
  try {
    const written: WrittenPart[] = [];
    let bytes = 0;
    for (const section of sections(parts, options)) {
      const same = section.key === null ? undefined : known.get(section.key);
      const part = copy(old, file, bytes, same) ?? write(file, bytes, section);
      written.push(part);
      bytes += part.length;
    }
    return { path, bytes, etag: etagOf(written), parts: written };
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
    if (old !== null) closeSync(old);
  }
}

/** Texts that stand below one another. In TXT each group holds channels of the whole list. */
function* sections(parts: Iterable<Part>, options: WriteOptions): Generator<Section> {
  if (options.format === 'txt') {
    yield { key: null, read: () => ({ key: null, pieces: txtPieces(allOf(parts), options) }) };
    return;
  }
  yield { key: null, read: () => ({ key: null, pieces: [m3uHeader(options)] }) };
  for (const part of parts) {
    const read = () => {
      const { key, channels } = part.read();
      return { key, pieces: m3uEntries(channels, options) };
    };
    yield { key: part.key, read };
  }
}

function write(file: number, start: number, section: Section): WrittenPart {
  const { key, pieces } = section.read();
  const hash = createHash('sha256');
  let length = 0;
  for (const chunk of encoded(pieces)) {
    hash.update(chunk);
    length += writeWhole(file, chunk);
  }
  return { key, start, length, digest: hash.digest('base64url') };
}

/** Null when there is nothing to copy from. */
function copy(from: number | null, to: number, start: number, part: WrittenPart | undefined): WrittenPart | null {
  if (from === null || part === undefined) return null;
  const text = Buffer.allocUnsafe(part.length);
  if (readSync(from, text, 0, part.length, part.start) < part.length) return null;
  writeWhole(to, text);
  return { ...part, start };
}

/** A disk that is full takes a part first. */
function writeWhole(file: number, text: Buffer): number {
  let written = 0;
  while (written < text.length) written += writeSync(file, text, written);
  return written;
}

/** Of the texts, in order: the same list has the same one at any time, as it is cut at the same places. */
function etagOf(parts: readonly WrittenPart[]): string {
  const hash = createHash('sha256');
  for (const { length, digest } of parts) if (length > 0) hash.update(digest);
  return hash.digest('base64url');
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}
