import { html } from '../../lib/html.js';
import type { ApiRouter } from '../context.js';
import type { ApiOptions } from '../options.js';
import { answerPage } from '../page.js';

/** `/`: says where the list is, to whoever opens the address in a browser. */
export function addHomeRoutes(router: ApiRouter, { publicUrl }: Pick<ApiOptions, 'publicUrl'>): void {
  router.get('/', (ctx) => {
    const playlist = `${publicUrl ?? `${ctx.state.scheme}://${ctx.state.host}`}/playlist.m3u`;
    const body = html`<header><h1>Weir</h1></header>
<p>Open this list in VLC, Kodi, TiviMate or any other player:</p>
<code class="list">${playlist}</code>
<p class="soft">Streams and viewers are shown under <a href="status">status</a>, to whoever has a key: log in with any
name and the key as password. <code>weir key new</code> makes one.</p>`;
    answerPage(ctx, 'Weir', body);
  });
}
