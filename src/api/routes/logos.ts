import { WeirError } from '../../lib/errors.js';
import type { ApiRouter, Handler } from '../context.js';
import type { ApiOptions } from '../options.js';

/** Nothing in a picture may run, or be taken for anything else. */
const headers: Readonly<Record<string, string>> = {
  'Cache-Control': 'private, max-age=86400',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
};

/** `/logos/{key}`, with a picture's ending or without: the logo of a published channel, fetched once. No other address is. */
export function addLogoRoutes(
  router: ApiRouter,
  { channels, logos }: Pick<ApiOptions, 'channels' | 'logos'>,
  access: Handler,
): void {
  router.get('/logos/:key', access, async (ctx) => {
    const { key = '' } = ctx.params;
    const channel = await channels.byKey(key.replace(/\.(?:png|jpe?g|gif|webp|avif|bmp|ico)$/i, ''));
    if (channel === null) throw new WeirError('not-found', 'There is no such channel. Load the playlist again.');
    if (channel.logo === null) throw new WeirError('not-found', 'This channel has no logo.');
    const logo = await logos.get(channel.logo);
    ctx.status = 200;
    ctx.etag = logo.hash;
    ctx.set({ ...headers });
    ctx.type = logo.mime;
    if (ctx.fresh) ctx.status = 304;
    else if (ctx.method === 'HEAD') ctx.length = logo.size;
    else ctx.body = Buffer.from(await logo.read());
  });
}
