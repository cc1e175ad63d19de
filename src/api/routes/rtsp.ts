import { now } from '../../lib/clock.js';
import { WeirError } from '../../lib/errors.js';
import { readAddress } from '../../relay/rtsp/url.js';
import { askedOf, clientOf } from '../client.js';
import type { ApiRouter, Context, Handler } from '../context.js';
import { type DirectSession, readDirectSession } from '../direct-session.js';
import type { ApiOptions } from '../options.js';
import { answerStream, plainly, type Watched } from './live.js';

/** `/rtsp/…`: an address instead of a channel, in the form that rtp2httpd reads, of servers that are known here. */
export function addRtspRoutes(router: ApiRouter, options: ApiOptions, access: Handler): void {
  const { relay, rtspHosts, innerUpstreams: inner } = options;
  router.get(/^\/{1,2}rtsp(?:\/|$)/, access, async (ctx) => {
    const session = readDirectSession(ctx.req.url ?? '', { now: now(), userAgent: ctx.get('User-Agent') });
    if (session === null) throw new WeirError('not-found', 'There is nothing under this path.');
    if ('problem' in session) throw new WeirError('invalid', session.problem);
    const { host, port } = readAddress(session.url);
    if (!(await rtspHosts.has(host, port))) {
      throw new WeirError('not-found', 'No list names this host. Add it to "rtsp.hosts" if it is to be asked for.');
    }
    if (!session.isDuration) await answerStream(ctx, relay, { ...watched(ctx, session), inner });
    else if (ctx.method === 'HEAD') answerDuration(ctx, null);
    else answerDuration(ctx, (await relay.describe(session.upstream, { userAgent: null, inner })).duration);
  });
}

/** Live ones are shared, as those of channels are. */
function watched(ctx: Context, { upstream, range, wish, from }: DirectSession): Watched {
  const direct = { ...plainly, id: null, upstream, membershipRefresh: null };
  if (wish === null) return direct;
  return { ...direct, archive: { wish, range, client: clientOf(ctx), asked: askedOf(ctx), from } };
}

/** Seconds with three digits behind the point, as text. */
function answerDuration(ctx: Context, duration: number | null): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'application/json';
  ctx.body = JSON.stringify({ duration: duration?.toFixed(3) ?? null });
}
