import { createHash, randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { now } from '../lib/clock.js';
import type { AccessToken, ApiKey, Scope } from '../model/access.js';
import type { Connection } from './connection.js';
import type { Tables } from './tables.js';

type Credential = 'api_key' | 'access_token';

export const accessWrites = {
  async createKey({ db }: Connection, input: { name: string; scope: Scope }) {
    const secret = `weir_${randomBytes(24).toString('base64url')}`;
    const values = { ...input, secret: digest(secret), created_at: now(), revoked_at: null };
    const row = await db.insertInto('api_key').values(values).returningAll().executeTakeFirstOrThrow();
    return { key: toKey(row), secret };
  },
  async createToken({ db }: Connection, input: { name: string }) {
    const secret = randomBytes(16).toString('base64url');
    const values = { ...input, secret: digest(secret), created_at: now(), revoked_at: null };
    const row = await db.insertInto('access_token').values(values).returningAll().executeTakeFirstOrThrow();
    return { token: toToken(row), secret };
  },
  /** False when there is none of that id, or it was revoked before. */
  async revoke({ db }: Connection, input: { table: Credential; id: number }) {
    const update = db.updateTable(input.table).set({ revoked_at: now() });
    const result = await update.where('id', '=', input.id).where('revoked_at', 'is', null).executeTakeFirst();
    return result.numUpdatedRows > 0n;
  },
};

/** Secrets are long and random: a plain hash is enough, and can be looked up. */
export function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

export function toKey(row: Selectable<Tables['api_key']>): ApiKey {
  return { id: row.id, name: row.name, scope: row.scope, createdAt: row.created_at, revokedAt: row.revoked_at };
}

export function toToken(row: Selectable<Tables['access_token']>): AccessToken {
  return { id: row.id, name: row.name, createdAt: row.created_at, revokedAt: row.revoked_at };
}
