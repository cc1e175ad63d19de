import type { MessagePort } from 'node:worker_threads';
import type { Log } from '../lib/log.js';
import { type Access, createAccess } from './access.js';
import { type Catalogue, createCatalogue } from './catalogue.js';
import { type Catchups, createCatchups } from './catchups.js';
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
import { createRtspHosts, type RtspHosts } from './rtsp-hosts.js';
import { createSnapshots, type Snapshots } from './snapshots.js';
import { createSources, type Sources } from './sources.js';
import { createSuggestionFinds, type SuggestionFinds } from './suggestion-finds.js';
import { typed } from './typed.js';
import { createWriter, type Writer } from './writer.js';
import { startWriter, type WriterThread } from './writer-host.js';

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
  readonly catchups: Catchups;
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
  readonly rtspHosts: RtspHosts;
  readonly snapshots: Snapshots;
  readonly sources: Sources;
};

/**
 * Opens the store in a directory, made where missing. Several processes may have it open.
 * @throws WeirError when the directory cannot be written, the file is damaged or of a newer version.
 */
export async function openStore({ dir, log }: { dir: string; log?: Log }): Promise<Store> {
  const thread = await startWriter(new URL('./writer-thread.js', import.meta.url), { dir, log });
  const writer = createWriter(thread.connect());
  const connection = await openBeside(thread, dir);
  const close = async () => {
    await writer.call('flush', null).catch(() => log?.warn('the database writer had ended before it was closed'));
    connection.close();
    await thread.end();
  };
  let closing: Promise<void> | null = null;
  return {
    dir,
    ...createParts(connection, writer),
    connect: thread.connect,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The reader beside a writer, which must not outlive a failure of it. */
async function openBeside(thread: WriterThread, dir: string): Promise<Connection> {
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
    catchups: createCatchups(connection),
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
    rtspHosts: createRtspHosts(connection),
    snapshots: createSnapshots(connection, writer),
    sources: createSources(connection, writer),
  };
}
