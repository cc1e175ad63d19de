import { WeirError } from '../../lib/errors.js';
import type { Relay } from '../../relay/contract.js';
import type { ApiRouter, Handler } from '../context.js';
import type { Channels } from '../options.js';
import { answerLive } from './live.js';

/** `/stream/{key}` and `/stream/{key}.ts`: a published channel. */
export function addStreamRoutes(router: ApiRouter, channels: Channels, relay: Relay, access: Handler): void {
  router.get('/stream/:key', access, async (ctx) => {
    const { key = '' } = ctx.params;
    const channel = await channels.byKey(key.replace(/\.ts$/, ''));
    if (channel === null) throw new WeirError('not-found', 'There is no such channel. Load the playlist again.');
    await answerLive(ctx, relay, channel);
  });
}
