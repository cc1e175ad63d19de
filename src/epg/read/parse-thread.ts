import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf, WeirError } from '../../lib/errors.js';
import { giveWay } from '../../lib/priority.js';
import { attachGuideStage } from '../../store/guide/open.js';
import type { Failure } from '../../store/writes.js';
import { InFlight } from '../in-flight.js';
import type { ParseOptions } from './elements.js';
import { type ParsedBatch, parseBatch, type SliceBatch } from './parse-batch.js';

/** What the thread is started with. It is sent batches, answers each when it is parsed, and `end`, which it answers when all is written. */
export type ParseJob = { readonly snapshot: number; readonly port: MessagePort; readonly options: ParseOptions };
export type ParseRequest = { readonly batch: SliceBatch } | 'end';
export type ParseReply = Omit<ParsedBatch, 'texts'> | 'ended' | { readonly failure: Failure };

/** Batches that the writer has not answered yet. */
const mostUnwritten = 4;

const { snapshot, port, options } = workerData as ParseJob;
const stage = attachGuideStage(port);
const writes = new InFlight(mostUnwritten);
giveWay();
let turn: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (request: ParseRequest) => {
  turn = turn.then(() => (request === 'end' ? end() : take(request.batch))).catch(fail);
});

async function take(batch: SliceBatch): Promise<void> {
  const { texts, unreadable, problems } = parseBatch(batch, options);
  if (texts.ids.length > 0) await writes.add(stage.texts(snapshot, texts));
  say({ unreadable, problems });
}

async function end(): Promise<void> {
  await writes.end();
  say('ended');
  parentPort?.close();
  stage.close();
}

function fail(error: unknown): void {
  say({ failure: { code: error instanceof WeirError ? error.code : 'internal', message: messageOf(error) } });
}

function say(reply: ParseReply): void {
  parentPort?.postMessage(reply);
}
