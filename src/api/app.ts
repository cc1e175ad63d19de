import { METHODS } from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import { messageOf } from '../lib/errors.js';
import type { RequestState } from './context.js';
import { keyAccess, viewerAccess } from './middleware/access.js';
import { descriptors } from './middleware/descriptors.js';
import { errors } from './middleware/errors.js';
import { host, hostRule } from './middleware/host.js';
import { peer } from './middleware/peer.js';
import { target } from './middleware/target.js';
import type { ApiOptions } from './options.js';
import { addDirectRoutes } from './routes/direct.js';
import { addEpgRoutes } from './routes/epg.js';
import { addHealthRoutes } from './routes/health.js';
import { addHomeRoutes } from './routes/home.js';
import { addLogoRoutes } from './routes/logos.js';
import { addMetricsRoutes } from './routes/metrics.js';
import { addPlaylistRoutes } from './routes/playlist.js';
import { addRestRoutes } from './routes/rest.js';
import { addRtspRoutes } from './routes/rtsp.js';
import { addStatusRoutes } from './routes/status.js';
import { addStreamRoutes } from './routes/stream.js';

/** The whole HTTP surface: who is asking what, in this order, then the routes, each with its own access rule. */
export function createApp(options: ApiOptions): Koa<RequestState> {
  const { log, hosts, publicUrl, proxies, cgnatIsPrivate } = options;
  const app = new Koa<RequestState>();
  // What is left for Koa to report are sockets that broke while they were answered.
  app.on('error', (error: unknown) => log.debug({ error: messageOf(error) }, 'answer not sent'));
  const ours = hostRule(publicUrl === null ? hosts : [...hosts, new URL(publicUrl).hostname]);
  const router = createRouter(options);
  app
    .use(errors(log))
    .use(descriptors(log))
    .use(target())
    .use(host(ours))
    .use(peer({ proxies, cgnatIsPrivate, ours, log }));
  app.use(router.routes()).use(router.allowedMethods());
  return app;
}

function createRouter(options: ApiOptions): Router<RequestState> {
  const { relay, access, adminKey } = options;
  const router = new Router<RequestState>({ methods: METHODS });
  const viewer = viewerAccess(access);
  const key = keyAccess(access, adminKey);
  addHomeRoutes(router, options);
  addHealthRoutes(router);
  addPlaylistRoutes(router, options, viewer);
  addEpgRoutes(router, options, viewer);
  addLogoRoutes(router, options, viewer);
  addStreamRoutes(router, options, viewer);
  addDirectRoutes(router, relay, viewer);
  addRtspRoutes(router, options, viewer);
  addMetricsRoutes(router, relay, viewer);
  addStatusRoutes(router, options, key('read'));
  addRestRoutes(router, options, key);
  return router;
}
