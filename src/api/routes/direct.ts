import { WeirError } from '../../lib/errors.js';
import { parseUpstreamPath } from '../../model/upstream.js';
import type { Relay } from '../../relay/contract.js';
import type { ApiRouter, Context, Handler } from '../context.js';
import { answerStream, plainly, type Watched } from './live.js';

/** `/udp/…` and `/rtp/…`: an address instead of a channel, in the form that udpxy reads. */
export function addDirectRoutes(router: ApiRouter, relay: Relay, access: Handler): void {
  router.get(/^\/{1,2}(?:udp|rtp)(?:\/|$)/, access, async (ctx) => answerStream(ctx, relay, direct(ctx)));
}

/** From the path as it was written: udpxy's separators are not always valid escapes. */
function direct(ctx: Context): Watched {
  const parsed = parseUpstreamPath(ctx.req.url ?? '');
  if (parsed === null) throw new WeirError('not-found', 'There is nothing under this path.');
  if ('problem' in parsed) throw new WeirError('invalid', parsed.problem);
  return { id: null, upstream: parsed.upstream, membershipRefresh: null, ...plainly };
}
