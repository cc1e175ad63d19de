import { once } from 'node:events';
import { WeirError } from '../../lib/errors.js';
import type { Channel } from '../../model/channel.js';
import type { Upstream } from '../../model/stream.js';
import type { ViewerNote } from '../../model/viewer.js';
import type { Relay } from '../../relay/contract.js';
import type { Context } from '../context.js';

/** A channel, or an address that was asked for without one. */
export type Watched = Pick<Channel, 'membershipRefresh'> & {
  readonly id: number | null;
  readonly upstream: Upstream;
};

/** Milliseconds that the answer before on the same connection has to end. */
const patience = 1000;
/** Longest part of a User-Agent that is kept. */
const userAgentLength = 200;

/** No length, no chunking, no ranges, nothing of Shoutcast: players take each of these for another kind of media. */
const headers: Readonly<Record<string, string>> = {
  Server: 'Weir',
  'Content-Type': 'video/mp2t',
  Connection: 'close',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Answers with a live stream: HEAD at once from what is known, anything else by giving the client's socket to the relay.
 * An interface that the request names, `ifname` or `r2h-ifname`, wins over every other.
 * @throws WeirError `invalid`, or of the relay, while nothing has been answered yet.
 */
export async function answerLive(
  ctx: Context,
  relay: Relay,
  { id, membershipRefresh, ...watched }: Watched,
): Promise<void> {
  const upstream = { ...watched.upstream, interface: askedInterface(ctx) ?? watched.upstream.interface };
  if (ctx.method === 'HEAD') {
    ctx.status = 200;
    ctx.set({ ...headers });
    return;
  }
  const { socket } = ctx.req;
  await settled(ctx);
  if (ctx.res.socket !== socket || socket.writableLength > 0) {
    throw new WeirError(
      'invalid',
      'A stream takes its connection for itself. Ask for it once the answer before it is read.',
    );
  }
  const handOver = { upstream, membershipRefresh, socket, head: liveHead(), note: noteOf(ctx, id) };
  await relay.watch({ ...handOver, archive: null, userAgent: null, sessions: null, inner: false });
  ctx.respond = false;
}

/** An answer that the client has whole may end here a moment later, such as one that came from a file. */
async function settled({ req, res }: Context): Promise<void> {
  if (res.socket === req.socket) return;
  const signal = AbortSignal.timeout(patience);
  await once(res, 'socket', { signal }).catch(() => undefined);
}

function askedInterface(ctx: Context): string | null {
  const { ifname, 'r2h-ifname': ours = ifname } = ctx.query;
  const name = [ours ?? ''].flat()[0] ?? '';
  if (name === '') return null;
  if (!/^[^\s/]{1,15}$/.test(name)) throw new WeirError('invalid', 'ifname is not the name of a network interface.');
  return name;
}

function liveHead(): string {
  const lines = Object.entries({ ...headers, Date: new Date().toUTCString() }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
}

function noteOf(ctx: Context, channel: number | null): ViewerNote {
  const userAgent = ctx.get('User-Agent').slice(0, userAgentLength);
  return {
    channel,
    token: ctx.state.token?.id ?? null,
    userAgent: userAgent === '' ? null : userAgent,
    peer: ctx.state.peer,
    archive: null,
    asked: null,
  };
}
