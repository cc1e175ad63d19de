import type { Channel } from '../model/channel.js';

type Options = {
  /** Scheme, host, port and any path before `/stream/…`, without a slash at the end. */
  readonly base: string;
  /** Where the guide is, or absent. */
  readonly guideUrl?: string;
};

/**
 * Writes an M3U list that every player reads: `#EXTM3U` first, line feeds only, the address right below its `#EXTINF`,
 * one entry for each channel. Names and values hold no quotation mark, control character or, in names, comma, because
 * several players cut a name at its last comma.
 */
export function writePlaylist(channels: readonly Channel[], { base, guideUrl }: Options): string {
  const guide = guideUrl === undefined ? '' : ` x-tvg-url="${clean(guideUrl)}" url-tvg="${clean(guideUrl)}"`;
  return `#EXTM3U${guide}\n${channels.map((channel) => writeEntry(channel, base)).join('')}`;
}

function writeEntry({ key, name, groups, logo, tvgId }: Channel, base: string): string {
  const shown = nameFor(name, key);
  const attributes: [string, string][] = [
    ['tvg-id', clean(tvgId ?? '') || key],
    ['tvg-name', shown],
  ];
  const picture = logoFor(logo);
  if (picture !== '') attributes.push(['tvg-logo', picture]);
  const group = groups.map(clean).filter(Boolean).join(';');
  if (group !== '') attributes.push(['group-title', group]);
  const written = attributes.map(([attribute, value]) => `${attribute}="${value}"`).join(' ');
  return `#EXTINF:-1 ${written},${shown}\n${base}/stream/${key}\n`;
}

function nameFor(name: string, key: string): string {
  return clean(name).replace(/\s*,\s*/g, '，') || key;
}

/**
 * An address has blanks and the like encoded; anything that is none is left out. Kodi takes an entry whose line holds
 * `media=` for a recording.
 */
function logoFor(logo: string | null): string {
  if (logo === null || !URL.canParse(logo)) return '';
  return clean(new URL(logo).href)
    .replaceAll("'", '%27')
    .replace(/media=/gi, 'media%3D');
}

/** `"` becomes `'`; control characters and line separators become a blank. */
function clean(text: string): string {
  return text
    .replaceAll('"', "'")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}
