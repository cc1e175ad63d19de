import type { AccessToken, ApiKey, Scope } from '../model/access.js';
import { digest, toKey, toToken } from './access-writes.js';
import type { Connection } from './connection.js';
import type { Writer } from './writer.js';

export interface Access {
  /** The secret is told here and never again. */
  createKey(name: string, scope: Scope): Promise<{ key: ApiKey; secret: string }>;
  /** The key of a secret, or null when it is unknown or revoked. */
  findKey(secret: string): Promise<ApiKey | null>;
  listKeys(): Promise<ApiKey[]>;
  /** False when there is no valid key of that id. */
  revokeKey(id: number): Promise<boolean>;
  /** The secret is told here and never again. */
  createToken(name: string): Promise<{ token: AccessToken; secret: string }>;
  /** The token of a secret, or null when it is unknown or revoked. */
  findToken(secret: string): Promise<AccessToken | null>;
  listTokens(): Promise<AccessToken[]>;
  /** False when there is no valid token of that id. */
  revokeToken(id: number): Promise<boolean>;
}

/** Keys for the REST API and tokens of viewers. */
export function createAccess({ db }: Connection, writer: Writer): Access {
  return {
    createKey: (name, scope) => writer.call('createKey', { name, scope }),
    createToken: (name) => writer.call('createToken', { name }),
    revokeKey: (id) => writer.call('revoke', { table: 'api_key', id }),
    revokeToken: (id) => writer.call('revoke', { table: 'access_token', id }),
    async findKey(secret) {
      const valid = db.selectFrom('api_key').selectAll().where('revoked_at', 'is', null);
      const row = await valid.where('secret', '=', digest(secret)).executeTakeFirst();
      return row === undefined ? null : toKey(row);
    },
    async findToken(secret) {
      const valid = db.selectFrom('access_token').selectAll().where('revoked_at', 'is', null);
      const row = await valid.where('secret', '=', digest(secret)).executeTakeFirst();
      return row === undefined ? null : toToken(row);
    },
    async listKeys() {
      return (await db.selectFrom('api_key').selectAll().orderBy('id').execute()).map(toKey);
    },
    async listTokens() {
      return (await db.selectFrom('access_token').selectAll().orderBy('id').execute()).map(toToken);
    },
  };
}
