import { open } from 'node:fs/promises';

type Chunks = AsyncIterable<Uint8Array>;

const blockSize = 512 * 1024;

/** Copies pieces together, so that little goes for each. A block is valid until the one behind the next one is asked for. */
export async function* inBlocks(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let [block, spare] = [Buffer.allocUnsafeSlow(blockSize), Buffer.allocUnsafeSlow(blockSize)];
  let used = 0;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + blockSize - used);
      block.set(part, used);
      at += part.length;
      used += part.length;
      if (used < blockSize) continue;
      yield block;
      [block, spare] = [spare, block];
      used = 0;
    }
  if (used > 0) yield block.subarray(0, used);
}

/** Writes blocks into a new file that only its owner may read: while one is written the next one is asked for. */
export async function writeBlocks(path: string, blocks: Chunks): Promise<void> {
  const file = await open(path, 'w', 0o600);
  let written: Promise<void> = Promise.resolve();
  try {
    for await (const block of blocks) {
      await written;
      written = file.writeFile(block);
      // It is awaited before the next one, or never where the blocks break off.
      written.catch(() => undefined);
    }
    await written;
  } finally {
    await file.close();
  }
}
