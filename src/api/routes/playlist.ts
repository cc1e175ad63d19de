import { createHash } from 'node:crypto';
import type { ApiRouter, Context, Handler } from '../context.js';
import type { ApiOptions } from '../options.js';

/** Bytes, not text: those who are slow to read share them. */
type Rendered = { readonly generation: number; readonly bytes: Buffer; readonly etag: string };
type PlaylistOptions = Pick<ApiOptions, 'channels' | 'writePlaylist' | 'publicUrl'>;

/** How many forms of the list, one for each way that it is reached, are kept ready. */
const kept = 4;

/** `/playlist.m3u`: the channels with URLs that lead back the way the request came. Some players POST for it. */
export function addPlaylistRoutes(
  router: ApiRouter,
  { channels, writePlaylist, publicUrl }: PlaylistOptions,
  access: Handler,
): void {
  /** By the base of its URLs, the one used last at the end. */
  const ready = new Map<string, Rendered>();
  const render = async (base: string): Promise<Rendered> => {
    const generation = await channels.generation();
    let rendered = ready.get(base);
    if (rendered?.generation !== generation) {
      const bytes = Buffer.from(writePlaylist(await channels.list(), { base }));
      rendered = { generation, bytes, etag: createHash('sha256').update(bytes).digest('base64url') };
    }
    ready.delete(base);
    ready.set(base, rendered);
    for (const oldest of [...ready.keys()].slice(0, -kept)) ready.delete(oldest);
    return rendered;
  };
  router.register(
    '/playlist.m3u',
    ['GET', 'HEAD', 'POST'],
    [
      access,
      async (ctx) => {
        const { bytes, etag } = await render(baseOf(ctx, publicUrl));
        ctx.status = 200;
        ctx.etag = etag;
        ctx.set('Cache-Control', 'private, no-cache');
        ctx.type = 'audio/x-mpegurl';
        if (ctx.fresh) ctx.status = 304;
        else ctx.body = bytes;
      },
    ],
  );
}

/** What the URLs in the list begin with: the public URL, else how this request reached us; and its token. */
function baseOf(ctx: Context, publicUrl: string | null): string {
  const { scheme, host, token } = ctx.state;
  return `${publicUrl ?? `${scheme}://${host}`}${token === null ? '' : `/t/${encodeURIComponent(token.secret)}`}`;
}
