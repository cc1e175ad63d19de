import type { Insertable, Selectable } from 'kysely';
import type { Connection } from './connection.js';
import type { Tables } from './tables.js';

export const logoWrites = {
  async saveLogo({ db }: Connection, input: { logo: Insertable<Tables['logo']> }) {
    const { url: _, ...values } = input.logo;
    await db
      .insertInto('logo')
      .values(input.logo)
      .onConflict((on) => on.column('url').doUpdateSet(values))
      .execute();
  },
  /** Forgets what nobody has asked for since `before`, and the oldest pictures until `maxBytes` are left. */
  async trimLogos({ db }: Connection, input: { maxBytes: number; before: number }) {
    await db.deleteFrom('logo').where('next_at', '<', input.before).execute();
    const pictures = await pictureSizes({ db });
    let left = pictures.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { hash, bytes } of pictures) {
      if (left <= input.maxBytes) return;
      await db.deleteFrom('logo').where('hash', '=', hash).execute();
      left -= bytes;
    }
  },
};

/** The pictures that are named, each once, the oldest first. */
export async function pictureSizes({ db }: Pick<Connection, 'db'>): Promise<{ hash: string; bytes: number }[]> {
  const named = db.selectFrom('logo').where('hash', 'is not', null).groupBy('hash');
  const columns = named.select((e) => ['hash', e.fn.max('bytes').as('bytes'), e.fn.max('fetched_at').as('fetched_at')]);
  const rows = await columns.orderBy('fetched_at').execute();
  return rows.map(({ hash, bytes }) => ({ hash: hash ?? '', bytes: bytes ?? 0 }));
}

/** What is known of the picture at an address. */
export type LogoRow = Selectable<Tables['logo']>;
