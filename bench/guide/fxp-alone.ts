import { createReadStream } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';
import { createScanner } from '../../src/epg/read/scan/scanner.js';
import { Slices } from '../../src/epg/slices.js';
import { instant } from '../catalogue/house.js';
import type { FxpBatch } from './fxp-thread.js';

type Batch = FxpBatch & { readonly slices: number };
export type FxpResult = { readonly milliseconds: number; readonly elements: number };

/** As many as Weir's parse threads have at most on their way. */
const underWay = 8;
/** MB, as of Weir's parse threads. */
const young = 8;

const [path = '', threads = '2'] = process.argv.slice(2);
const batches = await slice(path);
process.send?.(await parse(batches, Number(threads)), () => process.exit(0));

/** Every programme of a guide, in batches as Weir makes them, all in memory before the clock starts. */
async function slice(file: string): Promise<Batch[]> {
  const slices = new Slices();
  const ready: Batch[] = [];
  const take = () => {
    for (let batch = slices.next(); batch !== undefined; batch = slices.next())
      ready.push({ bytes: batch.bytes, ends: batch.ends, slices: batch.ends.length });
  };
  const nothing = () => undefined;
  const sink = {
    ...{ channel: nothing, problem: nothing, head: () => true },
    programme: (head: { readonly offset: number }, bytes: Uint8Array) => slices.add(bytes, 0, head.offset),
  };
  const scanner = createScanner(sink, { timeZone: null, encoding: null, now: Date.now() / 1000 });
  for await (const chunk of createReadStream(file).pipe(createGunzip({ chunkSize: 256 * 1024 }))) {
    scanner.push(chunk as Buffer);
    take();
  }
  scanner.end();
  slices.end();
  take();
  return ready;
}

/** From the start of the threads until the last batch is parsed. */
async function parse(queue: Batch[], count: number): Promise<FxpResult> {
  const expected = queue.reduce((sum, { slices }) => sum + slices, 0);
  const begun = instant();
  const parsed = await Promise.all(Array.from({ length: count }, () => parseInThread(queue)));
  const elements = parsed.reduce((sum, one) => sum + one, 0);
  if (elements !== expected) throw new Error(`${elements} of ${expected} programmes were parsed.`);
  return { milliseconds: instant() - begun, elements };
}

/** Takes from the queue until that is empty; resolves with how many elements were parsed. */
function parseInThread(queue: Batch[]): Promise<number> {
  const worker = new Worker(new URL('./fxp-thread.js', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: young },
  });
  let waiting = 0;
  let elements = 0;
  const send = () => {
    const batch = queue.shift();
    if (batch === undefined) return;
    waiting += 1;
    const { bytes, ends } = batch;
    worker.postMessage({ bytes, ends } satisfies FxpBatch, [bytes.buffer, ends.buffer]);
  };
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('message', (count: number) => {
      waiting -= 1;
      elements += count;
      send();
      if (waiting === 0) void worker.terminate().then(() => resolve(elements));
    });
    for (let index = 0; index < underWay; index += 1) send();
    if (waiting === 0) void worker.terminate().then(() => resolve(0));
  });
}
