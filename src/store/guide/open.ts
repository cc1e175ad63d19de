import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { WeirError } from '../../lib/errors.js';
import type { Log } from '../../lib/log.js';
import { createWriter, type WriterOf } from '../writer.js';
import type { FromWriter, ToWriter } from '../writer-service.js';
import { type GuideConnection, openGuideForReading } from './connection.js';
import type { GuideParts, GuideReading, GuideStage, GuideStore } from './contract.js';
import { createFeeds } from './feeds.js';
import { createGuideChannels } from './guide-channels.js';
import { createProgrammes } from './programmes.js';
import type { Keeping } from './prune-writes.js';
import { createStage } from './stage.js';
import { pruneGuide, recoverGuide } from './tidy.js';
import { createTitles } from './titles.js';
import type { GuideWrites } from './writes.js';

type GuideWriter = WriterOf<GuideWrites>;

/** MB of new objects of the writer: rows on their way are dead at once, and what they took is never given back. */
const young = 12;

/**
 * Opens the guide's database in a directory, made where missing; one that is damaged or of a newer version is moved away first.
 * @throws WeirError when the directory cannot be written.
 */
export async function openGuideStore({ dir, log }: { dir: string; log?: Log }): Promise<GuideStore> {
  const thread = new Worker(new URL('./writer-thread.js', import.meta.url), {
    workerData: { dir },
    resourceLimits: { maxYoungGenerationSizeMb: young },
  });
  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  for (const note of await started(thread)) log?.warn(note);
  thread.on('error', (error) => log?.error({ error: error.message }, "the writer of the guide's database failed"));
  const say = (message: ToWriter) => thread.postMessage(message, 'client' in message ? [message.client] : []);
  const connect = () => {
    const { port1, port2 } = new MessageChannel();
    say({ client: port2 });
    return port1;
  };
  const writer = createWriter<GuideWrites>(connect());
  const connection = await openBeside(thread, dir);
  const close = async () => {
    await writer.call('flush', null).catch(() => log?.warn("the writer of the guide's database had ended before"));
    connection.close();
    say({ close: true });
    await exited;
  };
  let closing: Promise<void> | null = null;
  return {
    dir,
    ...createParts(connection, writer),
    recover: () => recoverGuide(writer),
    prune: (keep, now) => pruneGuide(writer, keepingOf(connection, keep, now)),
    connect,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The guide's database in another thread: reads with a connection of its own, writes through a port of `GuideStore.connect`. */
export function attachGuideStore({ dir, port }: { dir: string; port: MessagePort }): GuideParts & { close(): void } {
  const connection = openGuideForReading(dir);
  const writer = createWriter<GuideWrites>(port);
  return {
    ...createParts(connection, writer),
    close() {
      connection.close();
      writer.close();
    },
  };
}

/** Only what a pass writes, for threads that read nothing. */
export function attachGuideStage(port: MessagePort): GuideStage & { close(): void } {
  const writer = createWriter<GuideWrites>(port);
  return { ...createStage(writer), close: writer.close };
}

/** Only what is read, for threads that write nothing. */
export function readGuideStore(dir: string): GuideReading & { close(): void } {
  const connection = openGuideForReading(dir);
  return { ...createReading(connection), close: connection.close };
}

function createParts(connection: GuideConnection, writer: GuideWriter): GuideParts {
  return { ...createReading(connection), stage: createStage(writer), feeds: createFeeds(connection, writer) };
}

function createReading(connection: GuideConnection): GuideReading {
  return { channels: createGuideChannels(connection), ...createProgrammes(connection), ...createTitles(connection) };
}

/** Every guide channel that has programmes, with what is kept of it. */
function keepingOf({ raw }: GuideConnection, keep: ReadonlyMap<number, number>, now: number): Keeping[] {
  const channels = raw.prepare('SELECT id FROM guide_channel WHERE kept = 1 ORDER BY id').pluck().all() as number[];
  return channels.map((channel) => {
    const seconds = keep.get(channel);
    return { channel, before: seconds === undefined ? null : now - seconds };
  });
}

/** The reader beside a writer, which must not outlive a failure of it. */
async function openBeside(thread: Worker, dir: string): Promise<GuideConnection> {
  try {
    return openGuideForReading(dir);
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}

/** Resolves, when the writer runs, with what there is to say of its start. */
function started(thread: Worker): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', (message: FromWriter & { readonly notes?: readonly string[] }) => {
      thread.off('error', reject);
      if ('running' in message) resolve(message.notes ?? []);
      else reject(new WeirError(message.failed.code, message.failed.message));
    });
  });
}
