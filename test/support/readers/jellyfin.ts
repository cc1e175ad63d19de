import type { Listed } from './listed.js';

export type JellyfinChannel = Listed & { readonly logo: string | null };

const schemes = new Set(['http:', 'https:', 'rtsp:', 'rtp:', 'udp:']);

/** Reads a list by the rules of Jellyfin's M3U tuner, 2026: the address names a channel, so one that changes is a new one. */
export function readAsJellyfin(list: string): JellyfinChannel[] {
  const channels: JellyfinChannel[] = [];
  let extinf: string | null = null;
  for (const raw of list.split(/\r\n|\r|\n/)) {
    const line = raw.trim();
    if (/^#EXTINF:/i.test(line)) extinf = line.slice('#EXTINF:'.length).trim();
    else if (line !== '' && !line.startsWith('#') && extinf !== null) {
      if (URL.canParse(line) && schemes.has(new URL(line).protocol)) channels.push(read(extinf, line));
      extinf = null;
    }
  }
  return channels;
}

function read(extinf: string, url: string): JellyfinChannel {
  const attributes = new Map<string, string>();
  let rest = extinf;
  for (const [whole, key = '', value = ''] of extinf.matchAll(/([a-z0-9_-]+)="([^"]+)"/gi)) {
    attributes.set(key.toLowerCase(), value);
    rest = rest.replaceAll(whole, '');
  }
  const said = (name: string) => attributes.get(name) ?? '';
  const parts = rest.split(',').filter(Boolean);
  const name = parts.length > 1 ? (parts.at(-1) ?? '').trim() : '';
  const group = said('group-title');
  return {
    name: withoutNumber(name) || said('tvg-name') || said('tvg-id'),
    id: said('tvg-id').trim() || said('channel-id'),
    number: numberOf(attributes, name, url),
    groups: group === '' ? [] : [group],
    logo: attributes.get('tvg-logo') ?? attributes.get('logo') ?? null,
    url,
  };
}

/** The first word, where it is a number: `84. VOX`. */
function leadingNumber(name: string): string | null {
  const blank = name.indexOf(' ');
  const word = blank > 0 ? name.slice(0, blank).replace(/^[ .]+|[ .]+$/g, '') : '';
  return isDouble(word) ? word : null;
}

function withoutNumber(name: string): string {
  return leadingNumber(name) === null ? name : name.slice(name.indexOf(' ') + 1).replace(/^[ -]+|[ -]+$/g, '');
}

function numberOf(attributes: ReadonlyMap<string, string>, name: string, url: string): string | null {
  const file = url.slice(url.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const own = attributes.get('tvg-chno') ?? '';
  const ids = attributes.has('tvg-id') ? ['tvg-id', 'channel-id'].map((id) => attributes.get(id) ?? '') : [];
  const stated = isNumber(own) ? own : (ids.find(isDouble) ?? leadingNumber(name) ?? '');
  return [stated, file].find(isNumber)?.trim() ?? null;
}

function isNumber(text: string): boolean {
  return isDouble(text) && text !== '0' && text !== '-1';
}

/** What `double.TryParse` of .NET takes in the invariant culture. */
function isDouble(text: string): boolean {
  return /^[\t-\r ]*(?:[+-]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?(?:infinity|nan))[\t-\r ]*$/i.test(text);
}
