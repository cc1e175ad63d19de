import { once } from 'node:events';
import { WeirError } from '../../lib/errors.js';
import type { ArchivePlan, Relay, WatchRequest } from '../../relay/contract.js';
import { noteOf } from '../client.js';
import type { Context } from '../context.js';

/** A channel, or an address that was asked for without one: live, or what an archive of it has. */
export type Watched = Pick<WatchRequest, 'upstream' | 'membershipRefresh' | 'userAgent' | 'sessions' | 'inner'> & {
  /** Of the channel, or null. */
  readonly id: number | null;
  readonly archive: ArchivePlan | null;
};

/** What holds of datagrams. */
export const plainly = { archive: null, userAgent: null, sessions: null, inner: false } as const;

/** Milliseconds that the answer before on the same connection has to end. */
const patience = 1000;

/** No length, no chunking, no ranges, nothing of Shoutcast: players take each of these for another kind of media. */
const headers: Readonly<Record<string, string>> = {
  Server: 'Weir',
  'Content-Type': 'video/mp2t',
  Connection: 'close',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Answers with a stream: HEAD at once from what is known, anything else by giving the client's socket to the relay.
 * An interface that the request names, `ifname` or `r2h-ifname`, wins over every other.
 * @throws WeirError `invalid`, or of the relay, while nothing has been answered yet.
 */
export async function answerStream(ctx: Context, relay: Relay, { id, ...watched }: Watched): Promise<void> {
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
  const note = noteOf(ctx, id, watched.archive?.wish ?? null);
  await relay.watch({ ...watched, upstream, socket, head: streamHead(), note });
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

function streamHead(): string {
  const lines = Object.entries({ ...headers, Date: new Date().toUTCString() }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
}
