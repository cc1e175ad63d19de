import { WeirError } from '../../lib/errors.js';
import type { Scope } from '../../model/access.js';
import type { SourceStatus } from '../../model/source.js';
import type { StreamDetail, StreamStatus } from '../../model/stream.js';
import type { ViewerStatus } from '../../model/viewer.js';
import type { ApiRouter, Handler } from '../context.js';
import type { List } from '../contract.js';
import type { ApiOptions } from '../options.js';

type RestOptions = Pick<ApiOptions, 'relay' | 'sources'>;

/** `/api/v1`: streams, viewers and sources. */
export function addRestRoutes(
  router: ApiRouter,
  { relay, sources }: RestOptions,
  key: (scope: Scope) => Handler,
): void {
  router.get('/api/v1/streams', key('read'), async (ctx) => {
    ctx.body = { items: await relay.streams() } satisfies List<StreamStatus>;
  });
  router.get('/api/v1/streams/:id', key('read'), async (ctx) => {
    const { id = '' } = ctx.params;
    const stream = await relay.stream(id);
    if (stream === null) throw new WeirError('not-found', 'There is no such stream.');
    ctx.body = stream satisfies StreamDetail;
  });
  router.get('/api/v1/viewers', key('read'), async (ctx) => {
    ctx.body = { items: await relay.viewers() } satisfies List<ViewerStatus>;
  });
  router.get('/api/v1/sources', key('read'), async (ctx) => {
    ctx.body = { items: await sources.list() } satisfies List<SourceStatus>;
  });
  router.delete('/api/v1/streams/:id', key('edit'), async (ctx) => {
    const { id = '' } = ctx.params;
    if (!(await relay.closeStream(id))) throw new WeirError('not-found', 'There is no such stream.');
    ctx.status = 204;
  });
  router.delete('/api/v1/viewers/:id', key('edit'), async (ctx) => {
    const { id = '' } = ctx.params;
    if (!(await relay.closeViewer(id))) throw new WeirError('not-found', 'There is no such viewer.');
    ctx.status = 204;
  });
}
