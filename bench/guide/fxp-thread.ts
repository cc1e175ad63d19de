import { parentPort } from 'node:worker_threads';
import { XMLParser } from 'fast-xml-parser';
import { parserOptions } from '../../src/epg/read/parse.js';

/** A batch of slices, each of which ends there. */
export type FxpBatch = { readonly bytes: Uint8Array<ArrayBuffer>; readonly ends: Uint32Array<ArrayBuffer> };

/** Elements that are parsed at once, as Weir does it: of other numbers each takes longer. */
const together = 16;
const parser = new XMLParser(parserOptions);

parentPort?.on('message', (batch: FxpBatch) => parentPort?.postMessage(parseAll(batch)));

/** How many elements the package found in a batch. */
function parseAll({ bytes, ends }: FxpBatch): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let found = 0;
  let from = 0;
  for (let index = 0; index < ends.length; index += together) {
    const to = ends[Math.min(index + together, ends.length) - 1] ?? from;
    const [root] = parser.parse(`<tv>${buffer.toString('utf8', from, to)}</tv>`) as { tv: unknown[] }[];
    found += root?.tv.length ?? 0;
    from = to;
  }
  return found;
}
