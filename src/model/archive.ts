import type { Catchup, CatchupMode, Headers } from './entry.js';
import { parseUpstreamUrl } from './upstream.js';

/** Part of the past that is asked for. Instants are epoch seconds, whole or not. */
export type Wish = {
  readonly start: number;
  /** Null is open: whatever there is, now and later. */
  readonly end: number | null;
};

/** What a household says of an archive; null follows what is below it: the source, else the entry, else the header of its list. */
export type CatchupSetting = {
  /** `none` is no archive, whatever the list says. */
  readonly mode: CatchupMode | 'none' | null;
  /** The template of the address; goes with `mode`. */
  readonly source: string | null;
  /** How far it reaches back. */
  readonly days: number | null;
  /** Hours taken from the times in addresses. */
  readonly correction: number | null;
  /** IANA name, `UTC+8` or `+05:45`: what times in addresses are written in. */
  readonly zone: string | null;
  /** What `{utc:FORMAT}` and its like are written in; null is UTC. */
  readonly formatted: 'utc' | 'zone' | null;
  /** Wishes that begin no more than so many seconds ago go by `Range: clock` (RFC 2326 §12.29). */
  readonly nearLive: number | null;
  /** How many sessions the provider allows at one time. */
  readonly sessions: number | null;
};

/** How a channel is asked for what is past: `playseek` is told from the address alone. */
export type ArchiveMode = CatchupMode | 'playseek';

/** Who said something of an archive. */
export type CatchupOrigin = 'override' | 'source' | 'entry' | 'list' | 'address' | 'default';

/** What holds of a channel's archive in the end, and who said it. */
export type ChannelCatchup = {
  readonly channel: number;
  readonly mode: ArchiveMode;
  readonly template: string | null;
  readonly days: number;
  /** Hours taken from the times in addresses. */
  readonly correction: number;
  readonly zone: string | null;
  readonly formatted: 'utc' | 'zone';
  /** Seconds; 0 is never. */
  readonly nearLive: number;
  readonly sessions: number | null;
  /** Addresses of its entry that templates may be put behind, rtsp and http(s) alone, in their order. */
  readonly urls: readonly string[];
  readonly headers: Headers;
  readonly interface: string | null;
  readonly said: Readonly<Record<'mode' | 'days' | 'correction' | 'zone', CatchupOrigin>>;
};

export const archiveSchemes = ['rtsp', 'http', 'https', 'other'] as const;

/** What is published of a channel's archive. */
export type Archive = {
  /** How far it reaches back. */
  readonly days: number;
  /** Of the addresses by which it is reached. */
  readonly scheme: (typeof archiveSchemes)[number];
  /** What players are told who are given the provider's own address. */
  readonly said?: Catchup;
};

/** The schemes of archives that the relay carries. */
export const carried: ReadonlySet<Archive['scheme']> = new Set<Archive['scheme']>(['rtsp']);

/** What was kept of a setting, perhaps by a version that knew fewer fields: those that are absent follow what is below. */
export function settingOf(kept: Partial<CatchupSetting>): CatchupSetting {
  const { mode = null, source = null, days = null, correction = null } = kept;
  const { zone = null, formatted = null, nearLive = null, sessions = null } = kept;
  return { mode, source, days, correction, zone, formatted, nearLive, sessions };
}

/** What is effective of an archive, as far as its entry and the settings say it. */
export type EffectiveCatchup = Pick<
  ChannelCatchup,
  'mode' | 'template' | 'days' | 'correction' | 'zone' | 'formatted' | 'nearLive' | 'sessions'
> & {
  readonly said: Readonly<
    Record<'mode' | 'days' | 'correction' | 'zone', SettingOrigin | 'said' | 'address' | 'default'>
  >;
};

type SettingOrigin = 'override' | 'source';
/** Of a channel and of its source. */
export type CatchupSettings = readonly [own: CatchupSetting | null, source: CatchupSetting | null];

/** Days of an archive whose list does not say how far it reaches. */
const usualDays = 7;

/**
 * What holds of an entry's archive: each field as the channel's setting says, else its source's, else its list; mode and template
 * together. `urls` are all its addresses. Null when it has no archive.
 */
export function effectiveCatchup(
  said: Catchup | null,
  settings: CatchupSettings,
  urls: readonly string[],
): EffectiveCatchup | null {
  const way = wayOf(said, settings, urls);
  if (way === null) return null;
  const days = first(settings, 'days') ?? [said?.days ?? usualDays, said?.days == null ? 'default' : 'said'];
  if (!(days[0] > 0)) return null;
  const correction = first(settings, 'correction') ?? [
    said?.correction ?? 0,
    said?.correction == null ? 'default' : 'said',
  ];
  const zone = first(settings, 'zone') ?? [null, 'default'];
  return {
    mode: way.mode,
    template: way.template,
    days: days[0],
    correction: correction[0],
    zone: zone[0],
    formatted: first(settings, 'formatted')?.[0] ?? 'utc',
    nearLive: first(settings, 'nearLive')?.[0] ?? 0,
    sessions: first(settings, 'sessions')?.[0] ?? null,
    said: { mode: way.by, days: days[1], correction: correction[1], zone: zone[1] },
  };
}

type Way = Pick<EffectiveCatchup, 'mode' | 'template'> & { readonly by: EffectiveCatchup['said']['mode'] };

function wayOf(said: Catchup | null, settings: CatchupSettings, urls: readonly string[]): Way | null {
  const set = first(settings, 'mode');
  if (set !== null) {
    const [mode, by] = set;
    const template = settings[by === 'override' ? 0 : 1]?.source ?? null;
    return mode === 'none' ? null : { mode, template, by };
  }
  if (said !== null) return { mode: said.mode, template: said.source, by: 'said' };
  return urls.some(takesPlayseek) ? { mode: 'playseek', template: null, by: 'address' } : null;
}

/** The first setting that says something of a field, and whose it is. */
function first<K extends keyof CatchupSetting>(
  [own, source]: CatchupSettings,
  field: K,
): readonly [NonNullable<CatchupSetting[K]>, SettingOrigin] | null {
  const mine = own?.[field] ?? null;
  if (mine !== null) return [mine, 'override'];
  const theirs = source?.[field] ?? null;
  return theirs === null ? null : [theirs, 'source'];
}

/** Whether an address is one of those that take `playseek` without their list saying so. */
export function takesPlayseek(url: string): boolean {
  return /^(?:rtsp|https?):\/\/[^?#]*\/(?:PLTV|TVOD)\//i.test(url);
}

/** What `playseek` is written with, in the provider's zone. */
export const playseekTemplate = `?playseek=\${(b)yyyyMMddHHmmss}-\${(e)yyyyMMddHHmmss}`;

/** What is published of an entry's archive, or null: it has none. */
export function archiveOf(said: Catchup | null, settings: CatchupSettings, urls: readonly string[]): Archive | null {
  const catchup = effectiveCatchup(said, settings, urls);
  if (catchup === null) return null;
  const archive = { days: Math.ceil(catchup.days), scheme: schemeOf(catchup, urls) };
  return urls.some(isReceived) ? archive : { ...archive, said: asSaid(catchup) };
}

function isReceived(url: string): boolean {
  const parsed = /^\s*(?:rtsp|udp|rtp):/i.test(url) ? parseUpstreamUrl(url) : null;
  return parsed !== null && 'upstream' in parsed;
}

function asSaid({ mode, template, days, correction }: EffectiveCatchup): Catchup {
  const way = mode === 'playseek' ? { mode: 'append' as const, source: playseekTemplate } : { mode, source: template };
  return { ...way, days, correction: correction === 0 ? null : correction };
}

/** Of the address that the archive's is made of. */
function schemeOf({ mode, template }: EffectiveCatchup, urls: readonly string[]): Archive['scheme'] {
  const said = template?.trim() ?? '';
  if ((mode === 'append' || mode === 'vod') && said === '') return 'other';
  if ((mode === 'default' || mode === 'vod') && /^[a-z][a-z0-9+.-]*:\/\//i.test(said)) return schemeIn(said);
  return schemeIn(urls.find((url) => isBuiltOn(mode, url)) ?? '');
}

function isBuiltOn(mode: ArchiveMode, url: string): boolean {
  if (mode === 'playseek') return takesPlayseek(url);
  const isWeb = mode === 'xc' || mode === 'flussonic-hls' || mode === 'flussonic-ts';
  return (isWeb ? /^https?:/i : /^(?:rtsp|https?):/i).test(url);
}

function schemeIn(url: string): Archive['scheme'] {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  return archiveSchemes.find((known) => known === scheme) ?? 'other';
}
