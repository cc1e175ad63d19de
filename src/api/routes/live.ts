import { WeirError } from '../../lib/errors.js';
import type { Upstream } from '../../model/stream.js';
import type { ViewerNote } from '../../model/viewer.js';
import type { Relay } from '../../relay/contract.js';
import type { Context } from '../context.js';

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
 * @throws WeirError of the relay, while nothing has been answered yet.
 */
export async function answerLive(
  ctx: Context,
  relay: Relay,
  upstream: Upstream,
  channel: number | null,
): Promise<void> {
  if (ctx.method === 'HEAD') {
    ctx.status = 200;
    ctx.set({ ...headers });
    return;
  }
  const { socket } = ctx.req;
  if (ctx.res.socket !== socket || socket.writableLength > 0) {
    throw new WeirError(
      'invalid',
      'A stream takes its connection for itself. Ask for it once the answer before it is read.',
    );
  }
  await relay.watch({ upstream, socket, head: liveHead(), note: noteOf(ctx, channel) });
  ctx.respond = false;
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
  };
}
