import { hash } from 'node:crypto';
import { createTag, readTag } from './scan/start-tag.js';

const nameSize = '<programme'.length;
/** Of a hash: a safe integer has 53. */
const bits = 52;

/**
 * Of a programme's element: what it says, without when and where it is shown. The first 52 bits of SHA-1, a safe integer:
 * hashes are compared within one guide alone, where a wrong twin among a million texts is met once in ten thousand guides.
 * @param manner how the guide is read: another manner gives other hashes.
 */
export function contentHash(
  manner: string,
): (element: Uint8Array, from: number, to: number, hasMore: boolean) => number {
  const tag = createTag();
  const offset = hashOf(Buffer.from(manner));
  return (element, from, to, hasMore) => {
    const content = element.subarray(from, to);
    return (offset + hashOf(hasMore ? withAttributes(content, element) : content)) % 2 ** bits;
  };

  function withAttributes(content: Uint8Array, element: Uint8Array): Uint8Array {
    readTag(element, nameSize, element.length, tag);
    const attributes: Uint8Array[] = [];
    for (let index = 0; index + 1 < tag.others.length; index += 2)
      attributes.push(element.subarray(tag.others[index], tag.others[index + 1]), Buffer.of(0));
    return Buffer.concat([...attributes, content]);
  }
}

function hashOf(bytes: Uint8Array): number {
  return Number.parseInt(hash('sha1', bytes, 'hex').slice(0, bits / 4), 16);
}
