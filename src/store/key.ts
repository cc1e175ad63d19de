import { randomInt } from 'node:crypto';

/** Without characters that are taken for one another: 0 o, 1 i l. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';

/** A channel's key for `/stream/{key}`: 8 random characters. Whether it is free, the database says. */
export function newKey(): string {
  return Array.from({ length: 8 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
