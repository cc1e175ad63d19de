import { WeirError } from '../../lib/errors.js';
import type { Relay } from '../../relay/contract.js';
import type { ApiRouter, Context, Handler } from '../context.js';
import type { Channels } from '../options.js';
import { answerLive } from './live.js';

/** `/stream/{key}` and `/stream/{key}.ts`: a published channel. */
export function addStreamRoutes(router: ApiRouter, channels: Channels, relay: Relay, access: Handler): void {
  router.get('/stream/:key', access, async (ctx) => {
    const { key = '' } = ctx.params;
    const channel = await channels.byKey(key.replace(/\.ts$/, ''));
    if (channel === null) throw new WeirError('not-found', 'There is no such channel. Load the playlist again.');
    const { id, upstream, membershipRefresh } = channel;
    if (upstream === null) pointElsewhere(ctx, channel.direct);
    else await answerLive(ctx, relay, { id, upstream, membershipRefresh });
  });
}

/** To the provider's own address, where its source allows that to be published. */
function pointElsewhere(ctx: Context, direct: string | null): void {
  if (direct === null || !URL.canParse(direct)) {
    throw new WeirError('unavailable', 'Weir cannot receive this kind of channel yet.');
  }
  ctx.status = 302;
  ctx.set({ Location: new URL(direct).href, 'Cache-Control': 'no-store' });
}
