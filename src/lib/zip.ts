import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { WeirError } from './errors.js';
import { cutOff, damaged, inflateRaw } from './inflate.js';

/** A file in a zip archive, as the directory at its end says (APPNOTE.TXT 6.3.10 §4.3.12). */
export type Member = {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  /** Bytes as packed. */
  readonly size: number;
  /** Where its local header stands. */
  readonly offset: number;
};

const what = 'zip file';
const endSize = 22;
const entrySize = 46;
const localSize = 30;
const longestComment = 0xffff;
const stored = 0;
const deflated = 8;

/** The files in an archive, without folders and what macOS adds. */
export function listMembers(archive: Uint8Array): Member[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = findEnd(view);
  if (end === null) throw cutOff(what);
  const size = view.getUint32(end + 12, true);
  const start = end - size;
  if (start < 0) throw damaged(what, 'its directory is not where its end says');
  const members: Member[] = [];
  for (let at = start; at + entrySize <= end; ) {
    if (view.getUint32(at, true) !== 0x02014b50) throw damaged(what, 'its directory has a wrong entry');
    const nameSize = view.getUint16(at + 28, true);
    const name = Buffer.from(archive.subarray(at + entrySize, at + entrySize + nameSize)).toString('utf8');
    if (!isExtra(name)) members.push(memberAt(view, at, name));
    at += entrySize + nameSize + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return members;
}

/** Where the end record stands: a comment may follow it. */
function findEnd(view: DataView): number | null {
  const last = view.byteLength - endSize;
  for (let at = last; at >= Math.max(0, last - longestComment); at -= 1) {
    if (view.getUint32(at, true) === 0x06054b50 && at + endSize + view.getUint16(at + 20, true) <= view.byteLength)
      return at;
  }
  return null;
}

function isExtra(name: string): boolean {
  return name.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\.)/.test(name);
}

function memberAt(view: DataView, at: number, name: string): Member {
  return {
    name,
    isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    size: view.getUint32(at + 20, true),
    offset: view.getUint32(at + 42, true),
  };
}

/** Its bytes as they were before they were packed. */
export async function* readMember(archive: Uint8Array, member: Member): AsyncGenerator<Uint8Array> {
  const { name, method, isEncrypted, size, offset } = member;
  if (isEncrypted) throw new WeirError('invalid', `"${name}" in the zip file is encrypted.`);
  if (method !== stored && method !== deflated)
    throw new WeirError('invalid', `"${name}" in the zip file is packed by method ${method}, which is not read.`);
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  if (offset + localSize > archive.length) throw damaged(what, `"${name}" is not where its directory says`);
  const start = offset + localSize + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const bytes = archive.subarray(start, start + size);
  if (bytes.length < size) throw cutOff(what);
  let crc = 0;
  for await (const chunk of method === stored ? Readable.from([bytes]) : inflateRaw(Readable.from([bytes]))) {
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (crc !== member.crc) throw damaged(what, `the check sum of "${name}" is wrong`);
}
