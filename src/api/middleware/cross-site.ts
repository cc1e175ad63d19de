import { WeirError } from '../../lib/errors.js';
import type { Handler } from '../context.js';

/**
 * Refuses changes that a page of somebody else makes a browser ask for: it adds the Basic credentials that it remembers by
 * itself. Browsers say where a request comes from (Fetch Metadata); older ones ask first before they send JSON elsewhere,
 * and are refused then, so a POST with Basic has to be JSON.
 */
export function crossSite(): Handler {
  return async (ctx, next) => {
    const changes = !['GET', 'HEAD', 'OPTIONS'].includes(ctx.method);
    if (changes && ctx.get('Sec-Fetch-Site') === 'cross-site') {
      throw new WeirError('forbidden', 'A page of another site may not change anything here.');
    }
    const json = /^application\/json\b/i.test(ctx.get('Content-Type'));
    if (ctx.method === 'POST' && !json && /^Basic /i.test(ctx.get('Authorization'))) {
      throw new WeirError('unsupported-media', 'With Basic, send Content-Type: application/json, without a body too.');
    }
    await next();
  };
}
