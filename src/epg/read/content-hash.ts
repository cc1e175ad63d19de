import { createTag, readTag } from './scan/start-tag.js';

const nameSize = '<programme'.length;
/** Of a hash: a safe integer has 53. */
const bits = 52;

/**
 * Of a programme's element: what it says, without when and where it is shown. A safe integer of 52 bits: hashes are compared
 * within one guide alone, where a wrong twin among a million texts is met once in ten thousand guides. Whoever makes one on
 * purpose spoils no guide but his own.
 * @param manner how the guide is read: another manner gives other hashes.
 */
export function contentHash(
  manner: string,
): (element: Uint8Array, from: number, to: number, hasMore: boolean) => number {
  const tag = createTag();
  const offset = hashOfAll(Buffer.from(manner));
  return (element, from, to, hasMore) => {
    const hash = hasMore ? hashOfAll(withAttributes(element.subarray(from, to), element)) : hashOf(element, from, to);
    return (offset + hash) % 2 ** bits;
  };

  function withAttributes(content: Uint8Array, element: Uint8Array): Uint8Array {
    readTag(element, nameSize, element.length, tag);
    const attributes: Uint8Array[] = [];
    for (let index = 0; index + 1 < tag.others.length; index += 2)
      attributes.push(element.subarray(tag.others[index], tag.others[index + 1]), Buffer.of(0));
    return Buffer.concat([...attributes, content]);
  }
}

function hashOfAll(bytes: Uint8Array): number {
  return hashOf(bytes, 0, bytes.length);
}

/**
 * Two states of 32 bits, into which four bytes at a time are mixed as MurmurHash3 does it, and which are mixed with each other:
 * what differs in one of those words alone never comes to the same states.
 */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  const size = to - from;
  const view = new DataView(bytes.buffer, bytes.byteOffset + from, size);
  const whole = size - (size % 4);
  let one = size;
  let two = 0x6a09e667;
  for (let at = 0; at <= whole; at += 4) {
    const word = at < whole ? view.getInt32(at, true) : restOf(view, whole);
    one = (Math.imul(rotated(one ^ Math.imul(word, 0xcc9e2d51), 15), 0x1b873593) + two) | 0;
    two = (Math.imul(rotated(two ^ Math.imul(word, 0x85ebca6b), 13), 0xc2b2ae35) + one) | 0;
  }
  one = finished(one + two);
  two = finished(two + one);
  return (one >>> 0) + (two >>> (64 - bits)) * 2 ** 32;
}

/** The last bytes, fewer than four. */
function restOf(view: DataView, from: number): number {
  let word = 0;
  for (let at = from; at < view.byteLength; at += 1) word = (word << 8) | view.getUint8(at);
  return word;
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/** Every bit of the state tells on every bit of the hash. */
function finished(state: number): number {
  let word = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return word ^ (word >>> 16);
}
