import { join } from 'node:path';
import { now } from '../../lib/clock.js';
import type { WeirError } from '../../lib/errors.js';
import type { Logo } from '../../model/logo.js';
import type { LogoRow } from '../../store/logo-writes.js';
import type { Logos as LogoStore } from '../../store/logos.js';
import type { Picture } from './fetch.js';
import { PictureFiles } from './files.js';

type Options = {
  readonly store: LogoStore;
  /** The data directory. */
  readonly dir: string;
  readonly maxBytes: number;
};

/** Seconds. */
const day = 24 * 3600;
const lifetime = 7 * day;
const firstRetry = 300;
/** Seconds that what nobody asks for is remembered after its time. */
const forgotten = 30 * day;

/** What is known of pictures by their address, and the pictures themselves: the oldest go when there are too many. */
export class PictureCache {
  readonly #store: LogoStore;
  readonly #files: PictureFiles;
  readonly #maxBytes: number;
  /** Bytes in the files. */
  #total = 0;

  constructor({ store, dir, maxBytes }: Options) {
    this.#store = store;
    this.#files = new PictureFiles(join(dir, 'logos'));
    this.#maxBytes = maxBytes;
  }

  async row(url: string): Promise<LogoRow> {
    return (await this.#store.byUrl(url)) ?? unknown(url);
  }

  /** The picture of a row, or null when none is kept. */
  async picture({ hash, mime, bytes }: LogoRow): Promise<Logo | null> {
    if (hash === null || mime === null || bytes === null || !(await this.#files.has(hash, bytes))) return null;
    return { hash, mime, size: bytes, read: () => this.#files.read(hash) };
  }

  async keep(url: string, { body, mime, hash, etag, lastModified }: Picture): Promise<Logo> {
    const size = body.length;
    const row = { ...unknown(url), mime, hash, bytes: size, etag, last_modified: lastModified, ...fresh() };
    await this.#files.write(hash, body, () => this.#store.save(row));
    this.#total += size;
    if (this.#total > this.#maxBytes) await this.trim();
    return { hash, mime, size, read: () => Promise.resolve(body) };
  }

  /** The server said that the picture is the same still. */
  async confirm(row: LogoRow): Promise<void> {
    await this.#store.save({ ...row, ...fresh() });
  }

  /** Remembers a failure; a picture that is kept stays. Five minutes, ten, twenty … up to a day, or as the server asked. */
  async fail(row: LogoRow, { message, retryAfter }: WeirError): Promise<void> {
    const wait = Math.max(firstRetry * 2 ** Math.min(row.failures, 10), retryAfter ?? 0);
    const again = { failures: row.failures + 1, next_at: now() + Math.min(day, wait) };
    await this.#store.save({ ...row, ...again, reason: message });
  }

  /** Removes what is too much or too old, and files that belong to nothing. */
  async trim(): Promise<void> {
    await this.#store.trim(this.#maxBytes * 0.9, now() - forgotten);
    this.#total = await this.#files.sweep(() => this.#store.sizes());
  }
}

function unknown(url: string): LogoRow {
  const nothing = {
    hash: null,
    mime: null,
    bytes: null,
    etag: null,
    last_modified: null,
    fetched_at: null,
    reason: null,
  };
  return { url, ...nothing, next_at: 0, failures: 0 };
}

function fresh() {
  return { fetched_at: now(), next_at: now() + lifetime, failures: 0, reason: null };
}
