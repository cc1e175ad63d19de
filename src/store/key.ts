import { randomFillSync } from 'node:crypto';

/** Without characters that are taken for one another: 0 o, 1 i l. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
/** What a key starts with: one that reads as a number, such as 23456789 or 2e10, is taken for a channel's number by Jellyfin. */
const first = 'abcdfghjkmnpqrstuvwxyz';

/**
 * Makes channels' keys for `/stream/{key}`: 8 random characters. Whether one is free, the database says. Keys of one
 * maker share the first two, because keys all over the alphabet would have every chunk of a big import rewrite the whole
 * index of keys.
 */
export function keyMaker(): () => string {
  const start = randomText(1, first) + randomText(1);
  return () => start + randomText(6);
}

function randomText(length: number, letters = alphabet): string {
  let text = '';
  while (text.length < length) {
    const byte = nextByte();
    // Of 256 a few are too many: with them, the first letters would come more often.
    if (byte < 256 - (256 % letters.length)) text += letters.charAt(byte % letters.length);
  }
  return text;
}

/** Random bytes that were not used yet: they are asked for a thousand keys at a time. */
const bytes = new Uint8Array(8192);
let used = bytes.length;

function nextByte(): number {
  if (used === bytes.length) {
    randomFillSync(bytes);
    used = 0;
  }
  used += 1;
  return bytes[used - 1] ?? 0;
}
