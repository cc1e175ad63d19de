import { createHash } from 'node:crypto';
import type { Wish } from '../model/archive.js';
import type { ViewerNote } from '../model/viewer.js';
import type { Context } from './context.js';

/** Longest part of a User-Agent that is kept. */
const userAgentLength = 200;
/** What players put the time of the request in: it is another one each time that they ask for the same. */
const clocks = /^(?:lutc|now|timenow|timestamp)(?:=|$)/i;

/** What Node wants to know again about whoever asks. */
export function noteOf(ctx: Context, channel: number | null, wish: Wish | null): ViewerNote {
  const userAgent = ctx.get('User-Agent').slice(0, userAgentLength);
  return {
    channel,
    token: ctx.state.token?.id ?? null,
    userAgent: userAgent === '' ? null : userAgent,
    peer: ctx.state.peer,
    archive: wish,
    asked: wish === null ? null : askedOf(ctx),
  };
}

/** Who shows the same token, comes from the same address and calls itself the same is the same client: 12 hexadecimal digits. */
export function clientOf(ctx: Context): string {
  const { token, peer } = ctx.state;
  return digest([token?.id ?? null, peer, ctx.get('User-Agent')]);
}

/** Of what is asked for, path and query as they were sent, without token and without what the player's clock shows. */
export function askedOf({ req }: Context): string {
  const [path = '', query = ''] = (req.url ?? '').split(/\?(.*)/s, 2);
  return digest([path, query.split('&').filter((parameter) => !clocks.test(parameter))]);
}

function digest(of: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 12);
}
