/** Bytes that are looked at before deciding. */
export const headSize = 1024;

/** UTF-16 by its mark, or because every other byte of its start, mostly ASCII, is zero; null for all else. */
export function wideEncoding(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [index, byte] of head.subarray(0, headSize).entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < Math.min(head.length, headSize) / 8) return null;
  if (odd > 10 * even) return 'utf-16le';
  return even > 10 * odd ? 'utf-16be' : null;
}

/** UTF-16 to UTF-8, piece by piece; null ends it. */
export function createTranscoder(encoding: 'utf-16le' | 'utf-16be'): (chunk: Uint8Array | null) => Uint8Array {
  const decoder = new TextDecoder(encoding);
  return (chunk) => Buffer.from(chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true }));
}
