import { WeirError } from '../../lib/errors.js';
import type { Upstream } from '../../model/stream.js';
import { parseUpstreamPath } from '../../model/upstream.js';
import type { Relay } from '../../relay/contract.js';
import type { ApiRouter, Context, Handler } from '../context.js';
import { answerLive } from './live.js';

/** `/udp/…` and `/rtp/…`: an address instead of a channel, in the form that udpxy reads. */
export function addDirectRoutes(router: ApiRouter, relay: Relay, access: Handler): void {
  router.get(/^\/{1,2}(?:udp|rtp)(?:\/|$)/, access, async (ctx) => answerLive(ctx, relay, directUpstream(ctx), null));
}

/** From the path as it was written: udpxy's separators are not always valid escapes. */
function directUpstream(ctx: Context): Upstream {
  const parsed = parseUpstreamPath(ctx.req.url ?? '');
  if (parsed === null) throw new WeirError('not-found', 'There is nothing under this path.');
  if ('problem' in parsed) throw new WeirError('invalid', parsed.problem);
  const { ifname, 'r2h-ifname': ours = ifname } = ctx.query;
  const name = [ours ?? ''].flat()[0] ?? '';
  if (name === '') return parsed.upstream;
  if (!/^[^\s/]{1,15}$/.test(name)) throw new WeirError('invalid', 'ifname is not the name of a network interface.');
  return { ...parsed.upstream, interface: name };
}
