import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { Channel } from '../model/channel.js';
import { openForReading } from './connection.js';
import { asListed, listedOtherwise, type Otherwise } from './listed-otherwise.js';
import { pageSize } from './pages.js';
import { createPublishedRows, type PublishedRows } from './published-rows.js';

/** Channels that follow one another in a list. */
export type Part = {
  /** As long as the process runs the same key stands for the same channels. Null where there is none. */
  readonly key: string | null;
  /** While `Published.read` runs. The key is null when channels of other parts decided what these are. */
  read(): { readonly key: string | null; readonly channels: Iterable<Channel> };
};

export interface Published {
  /**
   * Hands over what is published, or a line-up's channels with its numbers, part by part and in order, as they stand at one
   * instant. Parts are cut at the same places always.
   * @throws WeirError `not-found` when there is no such line-up.
   */
  read<T>(lineup: string | null, read: (parts: Iterable<Part>) => T): Promise<T>;
}

/** Pages of a snapshot that are one part: so few that a part is read soon, so many that parts are few. */
const pagesOfPart = 4;

/** Opens the database by itself, for a thread that does nothing else, until that ends. */
export function openPublished(dir: string): Published {
  const raw = openForReading(dir);
  return {
    async read(lineup, read) {
      const parts = lineup === null ? listed : await ofLineup(lineup);
      const all = raw.transaction(() => read(withGuides(parts(raw), listedOtherwise(raw))));
      return all();
    },
  };
}

/** The parts with the ids and shifts that go with the guide; when these change, all parts are others. */
function* withGuides(parts: Iterable<Part>, otherwise: Otherwise): Generator<Part> {
  const mark = otherwise.size === 0 ? '' : ` ${digest(JSON.stringify([...otherwise]))}`;
  const marked = (key: string | null) => (key === null ? null : `${key}${mark}`);
  for (const part of parts) {
    const read = () => {
      const { key, channels } = part.read();
      return { key: marked(key), channels: asWritten(channels, otherwise) };
    };
    yield { key: marked(part.key), read };
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function* asWritten(channels: Iterable<Channel>, otherwise: Otherwise): Generator<Channel> {
  for (const channel of channels) yield asListed(channel, otherwise);
}

/** Channels that the user put somewhere, then source by source. */
export function* listed(raw: Database.Database): Generator<Part> {
  const rows = createPublishedRows(raw);
  yield { key: null, read: () => ({ key: null, channels: rows.ordered() }) };
  const versions = raw.prepare(`SELECT page / ${pagesOfPart}, sum(version) FROM listing_page WHERE snapshot = ?
    GROUP BY 1 ORDER BY 1`);
  for (const serving of rows.serving()) {
    const [snapshot, direct] = serving;
    for (const [part, version] of versions.raw().all(snapshot) as [part: number, version: number][]) {
      const key = [snapshot, part, version, direct].join(' ');
      yield { key, read: () => readPart(rows, serving, part, key) };
    }
  }
}

function readPart(rows: PublishedRows, serving: readonly [number, number], part: number, key: string) {
  const size = pagesOfPart * pageSize;
  const { channels, isAlone } = rows.stretch(serving, part * size, (part + 1) * size);
  return { key: isAlone ? key : null, channels };
}

/** What a line-up needs takes as long to load as a list of 20,000 channels to write: most houses have none. */
async function ofLineup(slug: string): Promise<(raw: Database.Database) => Part[]> {
  const { lineupChannels } = await import('./published-lineup.js');
  return (raw) => {
    const channels = lineupChannels(raw, slug, allOf(listed(raw)));
    return [{ key: null, read: () => ({ key: null, channels }) }];
  };
}

/** The channels of all parts. */
export function* allOf(parts: Iterable<Part>): Generator<Channel> {
  for (const part of parts) yield* part.read().channels;
}
