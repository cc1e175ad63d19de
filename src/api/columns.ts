import { type Html, html } from '../lib/html.js';
import type { SourceStatus } from '../model/source.js';
import type { StreamStatus } from '../model/stream.js';
import { formatUpstream } from '../model/upstream.js';
import type { ViewerStatus } from '../model/viewer.js';
import { formatBitrate, formatBytes, formatDuration } from './format.js';
import { checksOf } from './health.js';
import { redactAddress, redactText } from './redact.js';
import { type Column, mark } from './table.js';

/** What the pages say of a stream, beside its address. */
export const streamColumns: readonly Column<StreamStatus>[] = [
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
  { title: 'TS errors', class: 'n', of: tsErrors },
  { title: 'Lost', class: 'n', of: ({ lost }) => lost },
  { title: 'Dropped', class: 'n', of: ({ kernelDrops }) => kernelDrops },
];

/** A stream's address, which leads to its own page. */
export const addressColumn: Column<StreamStatus> = {
  title: 'Address',
  of: ({ id, upstream }) =>
    html`<a href="status/streams/${encodeURIComponent(id)}"><code>${formatUpstream(upstream)}</code></a>`,
};

export const sourceColumns: readonly Column<SourceStatus>[] = [
  { title: 'List', of: ({ name, location }) => html`${name} <code>${redactAddress(location)}</code>` },
  { title: 'Interface', of: (source) => source.interface },
  { title: 'State', class: 'state', of: ({ state }) => mark(state, sourceMark(state)) },
  { title: 'Entries', class: 'n', of: ({ entries }) => entries },
  { title: 'Channels', class: 'n', of: ({ channels }) => channels },
  { title: 'Refreshed (UTC)', of: ({ refreshedAt }) => (refreshedAt === null ? null : instant(refreshedAt)) },
  { title: 'Reason', of: ({ reason }) => (reason === null ? null : redactText(reason)) },
];

/** `names` are of channels, by their ids. */
export function viewerColumns(names: ReadonlyMap<number, string>): readonly Column<ViewerStatus>[] {
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

/** The sum of all that went wrong; which of it, the pointer shows. */
function tsErrors(stream: StreamStatus): Html | number {
  const wrong = checksOf(stream).filter(({ errors }) => errors > 0);
  if (wrong.length === 0) return 0;
  const which = wrong.map(({ name, errors }) => `${name}: ${errors}`).join(', ');
  return html`<span title="${which}">${wrong.reduce((sum, { errors }) => sum + errors, 0)}</span>`;
}

function sourceMark(state: SourceStatus['state']): 'good' | 'bad' | 'idle' {
  if (state === 'published') return 'good';
  return state === 'failed' || state === 'quarantined' || state === 'missing' ? 'bad' : 'idle';
}

function instant(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
