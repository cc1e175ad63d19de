import { WeirError } from '../../lib/errors.js';
import { type Html, html } from '../../lib/html.js';
import type { StreamDetail } from '../../model/stream.js';
import { formatUpstream } from '../../model/upstream.js';
import type { ViewerStatus } from '../../model/viewer.js';
import { addressColumn, sourceColumns, streamColumns, viewerColumns } from '../columns.js';
import type { ApiRouter, Handler } from '../context.js';
import { formatInterval } from '../format.js';
import { checkColumns, checksOf, pidColumns } from '../health.js';
import type { ApiOptions, Channels } from '../options.js';
import { answerPage } from '../page.js';
import { section, table } from '../table.js';

type StatusOptions = Pick<ApiOptions, 'relay' | 'sources' | 'channels'>;

/** Seconds after which a page loads itself again. */
const refresh = 5;

/**
 * `/status`: what udpxy's users look for there, escaped, and for whoever has a key. `/status/streams/{id}`: one stream,
 * its health and what is in it.
 */
export function addStatusRoutes(router: ApiRouter, { relay, sources, channels }: StatusOptions, access: Handler): void {
  router.get('/status', access, async (ctx) => {
    const [streams, viewers, lists] = await Promise.all([relay.streams(), relay.viewers(), sources.list()]);
    const names = await channelNames(channels, viewers);
    const body = html`<header><h1>Weir</h1><a href="playlist.m3u">playlist.m3u</a></header>
${section('Streams', streams, [addressColumn, ...streamColumns])}
${section('Viewers', viewers, viewerColumns(names))}
${section('Lists', lists, sourceColumns)}`;
    answerPage(ctx, 'Weir status', body, refresh);
  });
  router.get('/status/streams/:id', access, async (ctx) => {
    const { id = '' } = ctx.params;
    const [stream, viewers] = await Promise.all([relay.stream(id), relay.viewers()]);
    if (stream === null)
      throw new WeirError('not-found', 'There is no such stream. It ends soon after its last viewer.');
    const own = viewers.filter((viewer) => viewer.stream === id);
    const body = streamPage(stream, own, await channelNames(channels, own));
    answerPage(ctx, `${formatUpstream(stream.upstream)} · Weir status`, body, refresh);
  });
}

function streamPage(stream: StreamDetail, viewers: readonly ViewerStatus[], names: ReadonlyMap<number, string>): Html {
  return html`<header><h1>${formatUpstream(stream.upstream)}</h1><a href="../../status">all streams</a></header>
${table([stream], streamColumns)}
<h2>Health</h2>
${table(checksOf(stream), checkColumns)}
${healthNote(stream)}
${section('PIDs', stream.pids, pidColumns)}
${section('Viewers', viewers, viewerColumns(names))}`;
}

/** What no limit is set for. */
function healthNote({ health }: StreamDetail): Html {
  const { pcrJitter, scrambled } = health;
  const jitter = pcrJitter === null ? null : `PCRs arrive within ${formatInterval(pcrJitter)} of their time. `;
  return html`<p class="soft">${jitter}${scrambled === 0 ? 'Nothing is scrambled.' : `${scrambled} packets were scrambled.`}</p>`;
}

async function channelNames(channels: Channels, viewers: readonly ViewerStatus[]): Promise<Map<number, string>> {
  const ids = new Set(viewers.flatMap(({ note }) => note.channel ?? []));
  const found = await Promise.all([...ids].map((id) => channels.byId(id)));
  return new Map(found.flatMap((channel) => (channel === null ? [] : [[channel.id, channel.name]])));
}
