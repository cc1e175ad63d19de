import { open } from 'node:fs/promises';

/** Bytes that are written at once. */
const blockSize = 512 * 1024;

/** Writes pieces into a new file that only its owner may read: one block is written while the next one is filled. */
export async function writeBlocks(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'w', 0o600);
  let [block, spare] = [Buffer.allocUnsafeSlow(blockSize), Buffer.allocUnsafeSlow(blockSize)];
  let used = 0;
  let written: Promise<void> = Promise.resolve();
  try {
    for await (const chunk of chunks)
      for (let at = 0; at < chunk.length; ) {
        const part = chunk.subarray(at, at + blockSize - used);
        block.set(part, used);
        at += part.length;
        used += part.length;
        if (used < blockSize) continue;
        await written;
        written = file.writeFile(block);
        // It is awaited before the next one, or never where the pieces break off.
        written.catch(() => undefined);
        [block, spare] = [spare, block];
        used = 0;
      }
    await written;
    await file.writeFile(block.subarray(0, used));
  } finally {
    await file.close();
  }
}
