import { pipeline } from 'node:stream';
import { createInflate, createInflateRaw } from 'node:zlib';

/**
 * Deflate in the wrapping of zlib (RFC 9110 §8.4.1.2), or in none, as many servers send it. The first half byte tells: zlib's
 * says 8 (RFC 1950 §2.2), and no encoder begins a block so.
 */
export async function* inflateAny(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const rest = chunks[Symbol.asyncIterator]();
  const first = await rest.next();
  const head: Uint8Array = first.done === true ? new Uint8Array() : first.value;
  const isWrapped = head[0] === undefined || (head[0] & 0x0f) === 8;
  const decoder = isWrapped ? createInflate() : createInflateRaw();
  // What fails here is thrown by the decoder as well.
  pipeline(resumed(head, rest), decoder, () => undefined);
  yield* decoder;
}

async function* resumed(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
