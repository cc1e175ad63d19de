import { z } from 'zod';
import { type AccessToken, type ApiKey, scopes } from '../../model/access.js';
import type { Operations } from './operation.js';
import { id, idParams, instant, line, named, pageOf, strict } from './shapes.js';

const common = { id, name: z.string(), createdAt: instant, revokedAt: instant.nullable() };
const secret = z.string().describe('Shown here and never again.');
const name = line(200);

export const keySchema = named('Key', strict({ ...common, scope: z.enum(scopes) })) satisfies z.ZodType<ApiKey>;
export const tokenSchema = named('Token', strict(common)) satisfies z.ZodType<AccessToken>;

export const accessOperations = {
  listKeys: {
    method: 'get',
    path: '/keys',
    summary: 'Lists the keys for this API, revoked ones too',
    scope: 'admin',
    answer: { status: 200, description: 'All of them.', body: pageOf('Key', keySchema) },
  },
  createKey: {
    method: 'post',
    path: '/keys',
    summary: 'Makes a key; its secret is shown once',
    scope: 'admin',
    body: named('NewKey', strict({ name, scope: z.enum(scopes) })),
    answer: { status: 201, description: 'The key.', body: named('KeyMade', strict({ ...keySchema.shape, secret })) },
  },
  revokeKey: {
    method: 'delete',
    path: '/keys/{id}',
    summary: 'Revokes a key',
    scope: 'admin',
    params: idParams,
    answer: { status: 204, description: 'It opens nothing any more.' },
  },
  listTokens: {
    method: 'get',
    path: '/tokens',
    summary: 'Lists the tokens of viewers, revoked ones too',
    scope: 'admin',
    answer: { status: 200, description: 'All of them.', body: pageOf('Token', tokenSchema) },
  },
  createToken: {
    method: 'post',
    path: '/tokens',
    summary: 'Makes a token for `/t/{token}/…`; its secret is shown once',
    scope: 'admin',
    body: named('NewToken', strict({ name })),
    answer: {
      status: 201,
      description: 'The token.',
      body: named('TokenMade', strict({ ...tokenSchema.shape, secret })),
    },
  },
  revokeToken: {
    method: 'delete',
    path: '/tokens/{id}',
    summary: 'Revokes a token',
    scope: 'admin',
    params: idParams,
    answer: { status: 204, description: 'It opens nothing any more.' },
  },
} as const satisfies Operations;
