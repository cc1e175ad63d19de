import { type Html, html } from '../../lib/html.js';
import type { SourceStatus } from '../../model/source.js';
import type { StreamStatus } from '../../model/stream.js';
import { formatUpstream } from '../../model/upstream.js';
import type { ViewerStatus } from '../../model/viewer.js';
import type { ApiRouter, Handler } from '../context.js';
import { formatBitrate, formatBytes, formatDuration } from '../format.js';
import type { ApiOptions, Channels } from '../options.js';
import { answerPage } from '../page.js';

type StatusOptions = Pick<ApiOptions, 'relay' | 'sources' | 'channels'>;
type Column<T> = {
  readonly title: string;
  readonly class?: string;
  readonly of: (row: T) => Html | string | number | null;
};

/** Seconds after which the page loads itself again. */
const refresh = 5;

const streamColumns: readonly Column<StreamStatus>[] = [
  { title: 'Address', of: ({ upstream }) => html`<code>${formatUpstream(upstream)}</code>` },
  { title: 'Interface', of: ({ upstream }) => upstream.interface },
  {
    title: 'State',
    class: 'state',
    of: ({ state }) => mark(state, state === 'live' ? 'good' : state === 'silent' ? 'bad' : 'idle'),
  },
  { title: 'Format', of: ({ format }) => format },
  { title: 'Viewers', class: 'n', of: ({ viewers }) => viewers },
  { title: 'Bitrate', class: 'n', of: ({ bitrate }) => formatBitrate(bitrate) },
  { title: 'Received', class: 'n', of: ({ bytes }) => formatBytes(bytes) },
  { title: 'Open for', class: 'n', of: ({ uptime }) => formatDuration(uptime) },
  { title: 'TS errors', class: 'n', of: ({ continuityErrors }) => continuityErrors },
  { title: 'Lost', class: 'n', of: ({ lost }) => lost },
  { title: 'Dropped', class: 'n', of: ({ kernelDrops }) => kernelDrops },
];

const sourceColumns: readonly Column<SourceStatus>[] = [
  { title: 'List', of: ({ location }) => html`<code>${location}</code>` },
  { title: 'State', class: 'state', of: ({ state }) => mark(state, sourceMark(state)) },
  { title: 'Entries', class: 'n', of: ({ entries }) => entries },
  { title: 'Channels', class: 'n', of: ({ channels }) => channels },
  { title: 'Refreshed (UTC)', of: ({ refreshedAt }) => (refreshedAt === null ? null : instant(refreshedAt)) },
  { title: 'Reason', of: ({ reason }) => reason },
];

/** `/status`: what udpxy's users look for there, escaped, and for whoever has a key. */
export function addStatusRoutes(router: ApiRouter, { relay, sources, channels }: StatusOptions, access: Handler): void {
  router.get('/status', access, async (ctx) => {
    const [streams, viewers, lists] = await Promise.all([relay.streams(), relay.viewers(), sources.list()]);
    const names = await channelNames(channels, viewers);
    const body = html`<header><h1>Weir</h1><a href="playlist.m3u">playlist.m3u</a></header>
${section('Streams', streams, streamColumns)}
${section('Viewers', viewers, viewerColumns(names))}
${section('Lists', lists, sourceColumns)}`;
    answerPage(ctx, 'Weir status', body, refresh);
  });
}

function viewerColumns(names: ReadonlyMap<number, string>): readonly Column<ViewerStatus>[] {
  return [
    { title: 'Client', of: ({ note }) => html`<code>${note.peer}</code>` },
    {
      title: 'Watches',
      of: ({ note, upstream }) => names.get(note.channel ?? -1) ?? html`<code>${formatUpstream(upstream)}</code>`,
    },
    { title: 'Player', class: 'agent', of: ({ note }) => note.userAgent },
    { title: 'Watching for', class: 'n', of: ({ uptime }) => formatDuration(uptime) },
    { title: 'Sent', class: 'n', of: ({ bytes }) => formatBytes(bytes) },
    { title: 'Behind', class: 'n', of: ({ lag }) => formatBytes(lag) },
    { title: 'Jumps', class: 'n', of: ({ jumps }) => jumps },
    { title: 'Missed', class: 'n', of: ({ lostBytes }) => formatBytes(lostBytes) },
  ];
}

async function channelNames(channels: Channels, viewers: readonly ViewerStatus[]): Promise<Map<number, string>> {
  const ids = new Set(viewers.flatMap(({ note }) => note.channel ?? []));
  const found = await Promise.all([...ids].map((id) => channels.byId(id)));
  return new Map(found.flatMap((channel) => (channel === null ? [] : [[channel.id, channel.name]])));
}

function section<T>(title: string, rows: readonly T[], columns: readonly Column<T>[]): Html {
  const heading = html`<h2>${title} <span>${rows.length}</span></h2>`;
  if (rows.length === 0) return html`${heading}<p class="soft">None.</p>`;
  const head = columns.map((column) => html`<th class="${column.class ?? ''}">${column.title}</th>`);
  const cells = (row: T) => columns.map((column) => html`<td class="${column.class ?? ''}">${column.of(row)}</td>`);
  return html`${heading}<div class="scroll"><table>
<thead><tr>${head}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody>
</table></div>`;
}

function mark(text: string, kind: 'good' | 'bad' | 'idle'): Html {
  return html`<span class="${kind}">${text}</span>`;
}

function sourceMark(state: SourceStatus['state']): 'good' | 'bad' | 'idle' {
  if (state === 'published') return 'good';
  return state === 'failed' || state === 'quarantined' || state === 'missing' ? 'bad' : 'idle';
}

function instant(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
