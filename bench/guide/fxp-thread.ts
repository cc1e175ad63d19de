import { parentPort } from 'node:worker_threads';
import { XMLParser } from 'fast-xml-parser';

/** A batch of slices, each of which ends there. */
export type FxpBatch = { readonly bytes: Uint8Array<ArrayBuffer>; readonly ends: Uint32Array<ArrayBuffer> };

/** Elements that are parsed at once, as Weir does it: of other numbers each takes longer. */
const together = 16;
/** The package alone finds all that Weir keeps: elements in their order, attributes, texts as they are, with references resolved. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  processEntities: {
    enabled: true,
    maxTotalExpansions: Number.MAX_SAFE_INTEGER,
    maxExpandedLength: Number.MAX_SAFE_INTEGER,
  },
});

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
