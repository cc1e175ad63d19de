import { WeirError } from '../../lib/errors.js';

/** Bytes of the largest picture that is served. */
export const largestPicture = 2 * 1024 * 1024;

/** Raster formats, by how their files begin. */
const formats: readonly (readonly [mime: string, isOne: (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.toString('latin1', 0, 8) === '\u0089PNG\r\n\u001a\n'],
  ['image/jpeg', (bytes) => bytes.toString('hex', 0, 3) === 'ffd8ff'],
  ['image/gif', (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))],
  ['image/webp', (bytes) => /^RIFF....WEBP$/s.test(bytes.toString('latin1', 0, 12))],
  ['image/avif', isAvif],
  ['image/bmp', isBmp],
  // A directory of icons, not of cursors, with at least one.
  ['image/x-icon', (bytes) => bytes.toString('hex', 0, 4) === '00000100' && bytes.length > 22 && bytes[4] !== 0],
];

/**
 * The type of a raster picture by its first bytes, whatever anybody said of it.
 * @throws WeirError `invalid` when it is anything else: SVG and HTML may hold scripts.
 */
export function pictureType(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const mime = formats.find(([, isOne]) => isOne(bytes))?.[0];
  if (mime !== undefined) return mime;
  throw new WeirError('invalid', `It is ${other(bytes)}. PNG, JPEG, GIF, WebP, AVIF, BMP and ICO are served.`);
}

function other(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 1024);
  if (/<svg[\s>]/i.test(start)) return 'an SVG, which could hold scripts';
  if (/<!doctype html|<html|<head|<body/i.test(start)) return 'a web page';
  return bytes.length === 0 ? 'empty' : 'no picture of a known kind';
}

/** A box of type `ftyp` that names the brand, first or among the others (ISO/IEC 14496-12 §4.3, AVIF §3). */
function isAvif(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  for (let at = 8; at + 4 <= end; at += 4) {
    if (at !== 12 && /^avi[fs]$/.test(bytes.toString('latin1', at, at + 4))) return true;
  }
  return false;
}

/** `BM`, four zero bytes that are reserved, and a header of a known size. */
function isBmp(bytes: Buffer): boolean {
  if (bytes.length < 26 || bytes.toString('latin1', 0, 2) !== 'BM' || bytes.readUInt32LE(6) !== 0) return false;
  return [12, 40, 52, 56, 64, 108, 124].includes(bytes.readUInt32LE(14));
}
