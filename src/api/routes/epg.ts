import { createReadStream } from 'node:fs';
import { WeirError } from '../../lib/errors.js';
import type { ApiRouter, Context, Handler } from '../context.js';
import type { ApiOptions } from '../options.js';
import { profileOf } from '../profile.js';

type EpgOptions = Pick<ApiOptions, 'guideFiles'>;

/** What may be asked for with `?days=` and `?past=`. */
const range = { days: [1, 30], past: [0, 30] } as const;

/**
 * `/epg.xml`, `/epg.xml.gz` and the same of a line-up: the guide as XMLTV, ready-made. `?days=` and `?past=` are days behind and
 * before today (UTC); without them it is all that is known, and of each channel the days of its archive.
 */
export function addEpgRoutes(router: ApiRouter, { guideFiles }: EpgOptions, access: Handler): void {
  for (const path of ['/epg.xml', '/lineups/:slug/epg.xml']) {
    router.get(path, access, (ctx) => send(ctx, isPackedFor(ctx)));
    router.get(`${path}.gz`, access, (ctx) => send(ctx, 'file'));
  }

  async function send(
    ctx: Context & { readonly params?: unknown },
    packed: 'file' | 'encoding' | false,
  ): Promise<void> {
    const { slug } = ctx.params as { readonly slug?: string };
    const asked = { lineup: slug ?? null, days: daysOf(ctx, 'days'), past: daysOf(ctx, 'past') };
    const file = await guideFiles.get({ ...asked, profile: profileOf(ctx), gzip: packed !== false });
    ctx.status = 200;
    ctx.etag = file.etag;
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.type = packed === 'file' ? 'application/gzip' : 'application/xml; charset=utf-8';
    if (packed !== 'file') ctx.vary('Accept-Encoding');
    if (packed === 'encoding') ctx.set('Content-Encoding', 'gzip');
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.length = file.bytes;
    if (ctx.method !== 'HEAD') ctx.body = createReadStream(file.path);
  }
}

function isPackedFor(ctx: Context): 'encoding' | false {
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip' ? 'encoding' : false;
}

/** Null when it is not asked for. @throws WeirError `invalid` for what is no number in the range. */
function daysOf(ctx: Context, name: keyof typeof range): number | null {
  const written = [ctx.query[name] ?? []].flat()[0];
  if (written === undefined) return null;
  const [least, most] = range[name];
  const days = /^\d{1,2}$/.test(written) ? Number(written) : -1;
  if (days >= least && days <= most) return days;
  throw new WeirError(
    'invalid',
    `"${name}" is a whole number from ${least} to ${most}, not "${written.slice(0, 40)}".`,
  );
}
