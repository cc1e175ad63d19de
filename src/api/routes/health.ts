import type { ApiRouter } from '../context.js';

/** `/healthz`: whoever reads this answer knows that we are alive. Open to everybody. */
export function addHealthRoutes(router: ApiRouter): void {
  router.get('/healthz', (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = 'ok\n';
  });
}
