import type { Connection } from './connection.js';
import { type LogoRow, pictureSizes } from './logo-writes.js';
import type { Writer } from './writer.js';

export interface Logos {
  /** What is known of the picture at an address, or null. */
  byUrl(url: string): Promise<LogoRow | null>;
  save(logo: LogoRow): Promise<void>;
  /** The bytes of every picture that is named, by its hash. */
  sizes(): Promise<Map<string, number>>;
  /**
   * Forgets what nobody has asked for since `before` (epoch seconds; counted from when it was to be asked for again), and
   * the oldest pictures until `maxBytes` are left.
   */
  trim(maxBytes: number, before: number): Promise<void>;
}

/** What is known of pictures; the pictures themselves are files. */
export function createLogos({ db }: Connection, writer: Writer): Logos {
  return {
    async byUrl(url) {
      return (await db.selectFrom('logo').selectAll().where('url', '=', url).executeTakeFirst()) ?? null;
    },
    save: (logo) => writer.call('saveLogo', { logo }),
    async sizes() {
      return new Map((await pictureSizes({ db })).map(({ hash, bytes }) => [hash, bytes]));
    },
    trim: (maxBytes, before) => writer.call('trimLogos', { maxBytes, before }),
  };
}
