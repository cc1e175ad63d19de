import { now } from '../../lib/clock.js';
import { WeirError } from '../../lib/errors.js';
import type { Channel } from '../../model/channel.js';
import type { Upstream } from '../../model/stream.js';
import { liveAddress } from '../../relay/catchup/live-address.js';
import { ArchiveRequests, userAgentIn } from '../archive-request.js';
import type { ApiRouter, Context, Handler } from '../context.js';
import type { ApiOptions } from '../options.js';
import { answerStream, plainly, type Watched } from './live.js';

/** `/stream/{key}` and `/stream/{key}.ts`: a published channel, live or, with a time, what its archive has. */
export function addStreamRoutes(router: ApiRouter, options: ApiOptions, access: Handler): void {
  const { channels, relay, innerUpstreams: inner } = options;
  const archives = new ArchiveRequests(options);
  router.get('/stream/:key', access, async (ctx) => {
    const { key = '' } = ctx.params;
    const channel = await channels.byKey(key.replace(/\.ts$/, ''));
    if (channel === null) throw new WeirError('not-found', 'There is no such channel. Load the playlist again.');
    const wish = archives.wishOf(ctx);
    if (wish !== null) await answerStream(ctx, relay, await archives.watched(ctx, channel.id, wish));
    else if (channel.upstream === null) pointElsewhere(ctx, channel.direct);
    else await answerStream(ctx, relay, { ...live(channel, channel.upstream), inner });
  });
}

function live({ id, extras, membershipRefresh }: Channel, upstream: Upstream): Watched {
  if (upstream.kind !== 'rtsp') return { id, upstream, membershipRefresh, ...plainly };
  const filled = { ...upstream, url: liveAddress(upstream.url, now()) };
  return { id, upstream: filled, membershipRefresh, ...plainly, userAgent: userAgentIn(extras?.headers ?? {}) };
}

/** To the provider's own address, where its source allows that to be published. */
function pointElsewhere(ctx: Context, direct: string | null): void {
  if (direct === null || !URL.canParse(direct)) {
    throw new WeirError('unavailable', 'Weir cannot receive this kind of channel yet.');
  }
  ctx.status = 302;
  ctx.set({ Location: new URL(direct).href, 'Cache-Control': 'no-store' });
}
