import { WeirError } from '../../lib/errors.js';
import type { Handler } from '../context.js';

/** What a viewer's token opens. */
const tokenPaths =
  /^(?:(?:\/lineups\/[^/?]+)?\/(?:playlist\.(?:m3u|txt)|epg\.xml(?:\.gz)?)|\/metrics|\/(?:stream|logos)\/[^/?]+|\/{1,2}(?:udp|rtp|rtsp)(?:\/[^?]*)?)\/?(?:\?|$)/;

/**
 * Brings the request target into origin form (RFC 9112 §3.2) and takes a token off its front, so that the routes see
 * one kind of path. The path stays as it was written, not decoded.
 */
export function target(): Handler {
  return async ({ req, state }, next) => {
    const { authority, path } = originForm(req.url ?? '/');
    if (authority !== null) req.headers.host = authority;
    const withToken = /^\/t\/([^/?]*)(\/.*)?$/.exec(path);
    state.pathToken = withToken?.[1] ?? null;
    req.url = withToken === null ? path : (withToken[2] ?? '/');
    if (withToken !== null && !tokenPaths.test(req.url)) {
      throw new WeirError('not-found', 'A token opens no such path.');
    }
    await next();
  };
}

function originForm(url: string): { authority: string | null; path: string } {
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url);
  if (absolute === null) return { authority: null, path: url };
  const [, authority = '', rest = ''] = absolute;
  return { authority, path: rest.startsWith('/') ? rest : `/${rest}` };
}
