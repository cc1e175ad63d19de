import { randomInt } from 'node:crypto';

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
  while (text.length < length) text += letters.charAt(randomInt(letters.length));
  return text;
}
