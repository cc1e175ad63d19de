import { now } from '../../lib/clock.js';
import { messageOf, WeirError } from '../../lib/errors.js';
import type { Log } from '../../lib/log.js';
import type { Logo } from '../../model/logo.js';
import type { LogoRow } from '../../store/logo-writes.js';
import type { Logos as LogoStore } from '../../store/logos.js';
import { PictureCache } from './cache.js';
import { decodeDataUrl } from './data-url.js';
import { hashOf, PictureFetcher } from './fetch.js';
import { pictureType } from './picture.js';

type Options = {
  readonly store: LogoStore;
  /** The data directory; pictures are kept in `logos` there. */
  readonly dir: string;
  readonly log: Log;
  /** Sent with requests; a player's unless said. */
  readonly userAgent?: string;
  /** Ports that Weir listens on. */
  readonly ownPorts: readonly number[];
  /** Bytes of all pictures that are kept; 200 MB unless said. */
  readonly maxBytes?: number;
  /** Milliseconds for one fetch; 20,000 unless said. */
  readonly timeout?: number;
};

/** Pictures of channels: fetched once, kept in files, served from there. */
export interface Logos {
  /** Clears away what an earlier run left. */
  start(): Promise<void>;
  /**
   * The picture at an address that the catalogue names: http, https, or `data:` itself. One that is kept is given at once;
   * after a week it is asked for again meanwhile. Several who ask for the same wait for one fetch.
   * @throws WeirError `not-found` with the reason. Failures are remembered: for five minutes, then twice as long, up to a
   * day.
   */
  get(url: string): Promise<Logo>;
  /** Breaks off what runs and settles when it has ended. */
  stop(): Promise<void>;
}

export function createLogos({ store, dir, log, maxBytes = 200 * 1024 * 1024, ...fetching }: Options): Logos {
  const cache = new PictureCache({ store, dir, maxBytes });
  const stopping = new AbortController();
  const fetcher = new PictureFetcher({ ...fetching, signal: stopping.signal });
  /** What is being fetched, by its address. */
  const running = new Map<string, Promise<Logo>>();

  const failed = async (row: LogoRow, error: unknown): Promise<WeirError> => {
    if (stopping.signal.aborted) return new WeirError('unavailable', 'Weir is stopping.');
    const failure = explain(error);
    log.debug({ reason: failure.message }, 'logo not fetched');
    // That a server is left alone for a minute says nothing about this picture.
    if (failure.code !== 'unavailable') await cache.fail(row, failure);
    return failure;
  };
  const fetch = async (row: LogoRow, copy: Logo | null): Promise<Logo> => {
    try {
      const picture = await fetcher.fetch(row.url, copy === null ? null : row);
      if (picture !== null) return await cache.keep(row.url, picture);
      if (copy === null) throw new WeirError('upstream-refused', 'The server answered 304 to a first request.');
      await cache.confirm(row);
      return copy;
    } catch (error) {
      const failure = await failed(row, error);
      if (copy !== null) return copy;
      throw failure.code === 'unavailable' && stopping.signal.aborted ? failure : noLogo(failure.message);
    }
  };
  const fetchOnce = (row: LogoRow, copy: Logo | null): Promise<Logo> => {
    const current = running.get(row.url) ?? fetch(row, copy).finally(() => running.delete(row.url));
    running.set(row.url, current);
    return current;
  };
  const renew = (row: LogoRow, copy: Logo) => {
    fetchOnce(row, copy).catch((error: unknown) => log.warn({ error: messageOf(error) }, 'logo not renewed'));
  };
  return {
    start: () => cache.trim(),
    async get(url) {
      if (/^data:/i.test(url)) return inline(url);
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw noLogo('Its address is neither http nor https.');
      const row = await cache.row(url);
      const copy = await cache.picture(row);
      const isDue = row.next_at <= now();
      if (copy !== null && isDue) renew(row, copy);
      if (copy !== null) return copy;
      if (row.reason !== null && !isDue) throw noLogo(row.reason);
      return await fetchOnce(row, null);
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled(running.values());
    },
  };
}

function inline(url: string): Logo {
  try {
    const body = decodeDataUrl(url);
    return { mime: pictureType(body), hash: hashOf(body), size: body.length, read: () => Promise.resolve(body) };
  } catch (error) {
    throw noLogo(explain(error).message);
  }
}

/** What is no fault of a server is one of this machine: its disk may be full. */
function explain(error: unknown): WeirError {
  if (error instanceof WeirError) return error;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return new WeirError('internal', `The picture cannot be stored${code}.`, { cause: error });
}

function noLogo(reason: string): WeirError {
  return new WeirError('not-found', `There is no logo. ${reason}`);
}
