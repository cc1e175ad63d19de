import type { MessagePort } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import type { Log } from '../../lib/log.js';
import { createWriter, type WriterOf } from '../writer.js';
import { startWriter, type WriterThread } from '../writer-host.js';
import { openGuideForReading } from './connection.js';
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

/**
 * Opens the guide's database in a directory, made where missing; one that is damaged or of a newer version is moved away first.
 * @throws WeirError when the directory cannot be written.
 */
export async function openGuideStore({ dir, log }: { dir: string; log?: Log }): Promise<GuideStore> {
  const thread = await startWriter(new URL('./writer-thread.js', import.meta.url), { dir, log });
  const writer = createWriter<GuideWrites>(thread.connect());
  const raw = await openBeside(thread, dir);
  const close = async () => {
    await writer.call('flush', null).catch(() => log?.warn("the writer of the guide's database had ended before"));
    raw.close();
    await thread.end();
  };
  let closing: Promise<void> | null = null;
  return {
    dir,
    ...createParts(raw, writer),
    recover: () => recoverGuide(writer),
    prune: (keep, now) => pruneGuide(writer, keepingOf(raw, keep, now)),
    connect: thread.connect,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The guide's database in another thread: reads with a connection of its own, writes through a port of `GuideStore.connect`. */
export function attachGuideStore({ dir, port }: { dir: string; port: MessagePort }): GuideParts & { close(): void } {
  const raw = openGuideForReading(dir);
  const writer = createWriter<GuideWrites>(port);
  return {
    ...createParts(raw, writer),
    close() {
      raw.close();
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
  const raw = openGuideForReading(dir);
  return { ...createReading(raw), close: () => void raw.close() };
}

function createParts(raw: Database.Database, writer: GuideWriter): GuideParts {
  return { ...createReading(raw), stage: createStage(writer), feeds: createFeeds(raw, writer) };
}

function createReading(raw: Database.Database): GuideReading {
  return { channels: createGuideChannels(raw), ...createProgrammes(raw), ...createTitles(raw) };
}

/** Every guide channel that has programmes, with what is kept of it. */
function keepingOf(raw: Database.Database, keep: ReadonlyMap<number, number>, now: number): Keeping[] {
  const channels = raw.prepare('SELECT id FROM guide_channel WHERE kept = 1 ORDER BY id').pluck().all() as number[];
  return channels.map((channel) => {
    const seconds = keep.get(channel);
    return { channel, before: seconds === undefined ? null : now - seconds };
  });
}

/** The reader beside a writer, which must not outlive a failure of it. */
async function openBeside(thread: WriterThread, dir: string): Promise<Database.Database> {
  try {
    return openGuideForReading(dir);
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}
