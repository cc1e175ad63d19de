import { createHash } from 'node:crypto';
import { createTag, readTag } from './scan/start-tag.js';

const nameSize = '<programme'.length;

/**
 * Of a programme's element: what it says, without when and where it is shown. The first 52 bits of SHA-1, a safe integer:
 * hashes are compared within one guide alone, where a wrong twin among a million texts is met once in ten thousand guides.
 * @param manner how the guide is read: another manner gives other hashes.
 */
export function contentHash(
  manner: string,
): (element: Uint8Array, from: number, to: number, hasMore: boolean) => number {
  const tag = createTag();
  const begun = createHash('sha1').update(`${manner}\0`);
  return (element, from, to, hasMore) => {
    const hash = begun.copy().update(element.subarray(from, to));
    if (hasMore) {
      readTag(element, nameSize, element.length, tag);
      for (let index = 0; index + 1 < tag.others.length; index += 2)
        hash.update('\0').update(element.subarray(tag.others[index], tag.others[index + 1]));
    }
    const digest = hash.digest();
    return digest.readUIntBE(0, 6) * 16 + ((digest[6] ?? 0) >> 4);
  };
}
