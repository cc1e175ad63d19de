import { createReadStream } from 'node:fs';
import type { ApiRouter, Context, Handler } from '../context.js';
import type { ApiOptions } from '../options.js';
import { profileOf } from '../profile.js';

type PlaylistOptions = Pick<ApiOptions, 'lists' | 'publicUrl'>;

const types = { m3u: 'audio/x-mpegurl', txt: 'text/plain; charset=utf-8' };

/**
 * `/playlist.m3u`, `/playlist.txt` and the same of a line-up: channels with URLs that lead back the way the request came,
 * written for the players of `?profile=`. Some players POST for it.
 */
export function addPlaylistRoutes(router: ApiRouter, { lists, publicUrl }: PlaylistOptions, access: Handler): void {
  for (const format of ['m3u', 'txt'] as const) {
    for (const path of [`/playlist.${format}`, `/lineups/:slug/playlist.${format}`]) {
      router.register(path, ['GET', 'HEAD', 'POST'], [access, answer(format)]);
    }
  }

  function answer(format: 'm3u' | 'txt'): Handler {
    return async (ctx) => {
      const { params } = ctx;
      const { slug } = params as { readonly slug?: string };
      const request = { format, profile: profileOf(ctx), lineup: slug ?? null, base: baseOf(ctx, publicUrl) };
      const list = await lists.get(request);
      ctx.status = 200;
      ctx.etag = list.etag;
      ctx.set('Cache-Control', 'private, no-cache');
      ctx.type = types[format];
      if (ctx.fresh) {
        ctx.status = 304;
        return;
      }
      ctx.length = list.bytes;
      if (ctx.method !== 'HEAD') ctx.body = createReadStream(list.path);
    };
  }
}

/** What the URLs in the list begin with: the public URL, else how this request reached us; and its token. */
function baseOf(ctx: Context, publicUrl: string | null): string {
  const { scheme, host, token } = ctx.state;
  return `${publicUrl ?? `${scheme}://${host}`}${token === null ? '' : `/t/${encodeURIComponent(token.secret)}`}`;
}
