import { WeirError } from '../../lib/errors.js';
import type { accessOperations } from '../contract/access.js';
import { whole } from '../contract/shapes.js';
import type { Handlers } from '../handle.js';
import type { AccessAdmin } from '../options.js';

export function accessHandlers(access: AccessAdmin): Handlers<typeof accessOperations> {
  return {
    listKeys: async () => ({ body: whole(await access.listKeys()) }),
    async createKey({ body }) {
      const { key, secret } = await access.createKey(body.name, body.scope);
      return { body: { ...key, secret } };
    },
    async revokeKey({ params }) {
      if (!(await access.revokeKey(params.id))) throw new WeirError('not-found', 'There is no valid key of this id.');
    },
    listTokens: async () => ({ body: whole(await access.listTokens()) }),
    async createToken({ body }) {
      const { token, secret } = await access.createToken(body.name);
      return { body: { ...token, secret } };
    },
    async revokeToken({ params }) {
      if (!(await access.revokeToken(params.id))) {
        throw new WeirError('not-found', 'There is no valid token of this id.');
      }
    },
  };
}
