import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import { type Access, createAccess } from './access.js';
import { type Catalogue, createCatalogue } from './catalogue.js';
import { type Channels, createChannels } from './channels.js';
import { type Connection, openForReading } from './connection.js';
import { createEditReads, type EditReads } from './edit-reads.js';
import { createEdits, type Edits } from './edits.js';
import { createEntries, type Entries } from './entries.js';
import { createGuideHouse, type GuideHouse } from './guide-house.js';
import { createJobs, type Jobs } from './jobs.js';
import { createListing, type Listing } from './listing.js';
import { createLogos, type Logos } from './logos.js';
import { createRefreshes, type Refreshes } from './refreshes.js';
import { createSnapshots, type Snapshots } from './snapshots.js';
import { createSources, type Sources } from './sources.js';
import { createSuggestionFinds, type SuggestionFinds } from './suggestion-finds.js';
import { typed } from './typed.js';
import { createWriter, type Writer } from './writer.js';
import type { FromWriter, ToWriter } from './writer-thread.js';

/** What the household owns, in `weir.db`. This thread reads; one writer thread owns every write. */
export interface Store extends Parts {
  /** The data directory. */
  readonly dir: string;
  /** A channel to the writer, to be handed to a worker that opens its `attachStore` with it. */
  connect(): MessagePort;
  /** Settles when everything asked before is written and the file is closed. May be called again. */
  close(): Promise<void>;
}

type Parts = {
  readonly access: Access;
  readonly catalogue: Catalogue;
  readonly channels: Channels;
  readonly edits: Edits;
  readonly editReads: EditReads;
  readonly entries: Entries;
  readonly finds: SuggestionFinds;
  readonly guideHouse: GuideHouse;
  readonly jobs: Jobs;
  readonly listing: Listing;
  readonly logos: Logos;
  readonly refreshes: Refreshes;
  readonly snapshots: Snapshots;
  readonly sources: Sources;
};

/** MB of new objects of the writer: rows on their way are dead at once, and what they took is never given back. */
const young = 12;

/**
 * Opens the store in a directory, made where missing. Several processes may have it open.
 * @throws WeirError when the directory cannot be written, the file is damaged or of a newer version.
 */
export async function openStore({ dir, log }: { dir: string; log?: Log }): Promise<Store> {
  const thread = new Worker(new URL('./writer-thread.js', import.meta.url), {
    workerData: { dir },
    resourceLimits: { maxYoungGenerationSizeMb: young },
  });
  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  await started(thread);
  let closing: Promise<void> | null = null;
  thread.on('error', (error) => log?.error({ error: error.message }, 'the database writer failed'));
  const say = (message: ToWriter) => thread.postMessage(message, 'client' in message ? [message.client] : []);
  const connect = () => {
    const { port1, port2 } = new MessageChannel();
    say({ client: port2 });
    return port1;
  };
  const writer = createWriter(connect());
  const connection = await openBeside(thread, dir);
  const close = async () => {
    await writer.call('flush', null).catch(() => log?.warn('the database writer had ended before it was closed'));
    connection.close();
    say({ close: true });
    await exited;
  };
  return {
    dir,
    ...createParts(connection, writer),
    connect,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The reader beside a writer, which must not outlive a failure of it. */
async function openBeside(thread: Worker, dir: string): Promise<Connection> {
  try {
    return typed(openForReading(dir));
  } catch (error) {
    await thread.terminate();
    throw error;
  }
}

/** The store in another thread: reads with a connection of its own, writes through a port of `Store.connect`. */
export function attachStore({ dir, port }: { dir: string; port: MessagePort }): Parts & { close(): void } {
  const connection = typed(openForReading(dir));
  const writer = createWriter(port);
  return {
    ...createParts(connection, writer),
    close() {
      connection.close();
      writer.close();
    },
  };
}

function createParts(connection: Connection, writer: Writer): Parts {
  return {
    access: createAccess(connection, writer),
    catalogue: createCatalogue(connection),
    channels: createChannels(connection),
    edits: createEdits(writer),
    editReads: createEditReads(connection),
    entries: createEntries(connection),
    finds: createSuggestionFinds(connection, writer),
    guideHouse: createGuideHouse(connection, writer),
    jobs: createJobs(connection, writer),
    listing: createListing(connection),
    logos: createLogos(connection, writer),
    refreshes: createRefreshes(connection),
    snapshots: createSnapshots(connection, writer),
    sources: createSources(connection, writer),
  };
}

function started(thread: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', (message: FromWriter) => {
      thread.off('error', reject);
      if ('running' in message) resolve();
      else reject(new WeirError(message.failed.code, message.failed.message));
    });
  });
}
