import { createHash } from 'node:crypto';
import { download } from '../../lib/download.js';
import { WeirError } from '../../lib/errors.js';
import { Turns } from '../../lib/turns.js';
import { largestPicture, pictureType } from './picture.js';

export type Picture = {
  readonly body: Uint8Array;
  readonly mime: string;
  readonly hash: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

type Options = {
  readonly userAgent?: string;
  readonly ownPorts: readonly number[];
  /** Milliseconds for one; 20,000 unless said. */
  readonly timeout?: number;
  readonly signal: AbortSignal;
};
/** Of the copy at hand. */
type Validators = { readonly etag: string | null; readonly last_modified: string | null };

/** Fetches that run at once. */
const atOnce = 4;
/** Milliseconds without a byte. */
const idle = 8_000;
/** Milliseconds that a server is left alone after it did not answer in time: others wait behind it. */
const rest = 60_000;

/** Fetches pictures whose addresses lists gave: a few at once, and none from a server that has just failed to answer. */
export class PictureFetcher {
  readonly #options: Options;
  readonly #turns = new Turns(atOnce);
  /** When servers may be asked again, by their host; milliseconds. */
  readonly #resting = new Map<string, number>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Null when it is the copy at hand still.
   * @throws WeirError with the reason: what the download met, or that it is no raster picture of at most 2 MB.
   */
  fetch(url: string, copy: Validators | null): Promise<Picture | null> {
    return this.#turns.run(async () => {
      const { host } = new URL(url);
      this.#refuseResting(host);
      try {
        const limits = { strict: true, maxBytes: largestPicture, idle };
        const validators = { etag: copy?.etag ?? null, lastModified: copy?.last_modified ?? null };
        const answer = await download(url, { timeout: 20_000, ...this.#options, ...limits, ...validators });
        if (answer === null) return null;
        const mime = pictureType(answer.body);
        return { ...answer, mime, hash: hashOf(answer.body) };
      } catch (error) {
        if (error instanceof WeirError && error.code === 'upstream-timeout') this.#resting.set(host, Date.now() + rest);
        throw error;
      }
    });
  }

  #refuseResting(host: string): void {
    this.#options.signal.throwIfAborted();
    const until = this.#resting.get(host);
    if (until === undefined) return;
    if (until <= Date.now()) this.#resting.delete(host);
    else throw new WeirError('unavailable', 'Its server did not answer in time, and is asked again in a minute.');
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
