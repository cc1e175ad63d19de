import { MessageChannel } from 'node:worker_threads';

type Chunks = AsyncIterable<Uint8Array>;

/** A closed port: what is moved there is gone. */
const nowhere = closedPort();

function closedPort() {
  const { port1 } = new MessageChannel();
  port1.close();
  return port1;
}

/**
 * Lends pieces: each is valid until the next one is asked for, and its memory is freed soon after. Nobody else may hold their
 * buffers, and pieces of one buffer come one after another. Left to the collector some 30 MB of dead pieces wait for it, and
 * each new one is memory that no cache holds.
 */
export async function* lent(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let last: ArrayBufferLike | null = null;
  for await (const chunk of chunks) {
    if (last !== null && last !== chunk.buffer) free(last);
    last = chunk.buffer;
    yield chunk;
  }
}

/** Those that may be Node's pool, in which small buffers of all kinds lie, are left alone. */
function free(buffer: ArrayBufferLike): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) nowhere.postMessage(null, [buffer]);
}
