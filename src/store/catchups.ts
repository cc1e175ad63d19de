import { type CatchupOrigin, type ChannelCatchup, type EffectiveCatchup, effectiveCatchup } from '../model/archive.js';
import type { Attribute, SaidEntry } from '../model/entry.js';
import type { Connection } from './connection.js';
import { storedSetting } from './listing-writes.js';
import { linesOf, pageSize, saidAt } from './pages.js';

/** How the past of channels is asked for. */
export interface Catchups {
  /** What holds of a channel, a hidden one too, or null when it has no archive. */
  of(channel: number): Promise<ChannelCatchup | null>;
}

type Row = {
  readonly position: number;
  readonly interface: string | null;
  readonly time_zone: string | null;
  readonly said: string;
  readonly source: string | null;
  readonly own: string | null;
};

export function createCatchups({ raw }: Connection): Catchups {
  const find = raw.prepare(`SELECT v.position, v.interface, v.time_zone, p.said, v.catchup AS source, o.catchup AS own
    FROM shown_channel v JOIN snapshot_page p ON p.snapshot = v.snapshot AND p.page = v.position / ${pageSize}
    LEFT JOIN channel_override o ON o.channel = v.id WHERE v.id = ?`);
  return {
    of(channel) {
      const row = find.get(channel) as Row | undefined;
      return Promise.resolve(row === undefined ? null : catchupOf(channel, row));
    },
  };
}

function catchupOf(channel: number, row: Row): ChannelCatchup | null {
  const entry = saidAt(linesOf(row.said), row.position);
  const settings = [storedSetting(row.own), storedSetting(row.source)] as const;
  const catchup = effectiveCatchup(
    entry.catchup,
    settings,
    entry.urls.map(({ url }) => url),
  );
  if (catchup === null) return null;
  const likely = entry.urls.filter(({ url }) => /^(?:rtsp|https?):/i.test(url));
  return {
    ...catchup,
    channel,
    zone: catchup.zone ?? row.time_zone,
    urls: likely.map(({ url }) => url),
    headers: { ...entry.headers, ...likely[0]?.headers },
    interface: row.interface,
    said: originsOf(catchup, entry, row),
  };
}

/** What an entry must say itself so that a field is its own and not of all its list. */
const ownNames = {
  mode: /^(?:catchup(?:-type|-source)?|timeshift|tvg-rec)$/i,
  days: /^(?:catchup-(?:days|time)|timeshift|tvg-rec)$/i,
  correction: /^catchup-correction$/i,
} as const;

function originsOf({ said }: EffectiveCatchup, { attributes }: SaidEntry, row: Row): ChannelCatchup['said'] {
  const origin = (field: keyof typeof ownNames): CatchupOrigin => {
    const by = said[field];
    return by === 'said' ? saidBy(attributes, ownNames[field]) : by;
  };
  const zone = said.zone === 'override' || said.zone === 'source' ? said.zone : null;
  const inherited = row.time_zone === null ? 'default' : 'source';
  return { mode: origin('mode'), days: origin('days'), correction: origin('correction'), zone: zone ?? inherited };
}

function saidBy(attributes: readonly Attribute[], names: RegExp): 'entry' | 'list' {
  return attributes.some(([name]) => names.test(name)) ? 'entry' : 'list';
}
