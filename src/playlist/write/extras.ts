import type { Channel, Extras, ProfileId } from '../../model/channel.js';
import type { Attribute, Directive, Headers } from '../../model/entry.js';
import { clean, oneLine } from '../../model/list-text.js';
import { cleanAddress } from './text.js';

/** Ours; what ends like them too, because Kodi and others look for `radio=` in `webradio=`. */
const ours =
  /(?:tvg-(?:id|name|logo|chno|shift|rec|url)|url-tvg|ch-number|group-title|radio|realtime|timeshift|catchup(?:-[a-z]+)?|media(?:-[a-z]+)?|user-agent|referr?er)$|^(?:logo|channel-id|channel-number|(?:http-)?origin)$/i;
/** What may name an address of the provider's: a picture beside the channel's own, such as `group-logo`. */
const picture = /(?:logo|icon|image|art)$/i;
const attributeName = /^[^\s\p{Cc}"'=,;:]+$/u;
/** They begin a list or an entry, hold for entries that follow, or are of a playlist of HLS. */
const structure = /^(?:EXTM3U8?|EXTINF|EXTGRP|EXTENC|PLAYLIST|EXT-X-.*)$/i;
/** How the provider's own address is played: wrong for ours. */
const transport = /^(?:EXTHTTP|EXTATTRFROMURL|EXTVLCOPT-+http.*)$/i;
const transportOption =
  /^\s*:?(?:http|rtsp|rtp|udp|access|demux|adaptive|inputstream|mimetype|manifest|license|drm|stream)/i;
/** A header that the address is asked with: each profile has its own way to say it. */
const headerOption = /^\s*:?http-(?!reconnect|continuous|forward-cookies)/i;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** What a provider wrote that Weir does not know, in order, as far as it holds for the address that is published. */
export function extraAttributes({ extras, upstream }: Channel): Attribute[] {
  if (extras === null) return [];
  return extras.attributes.flatMap(([name, value]): Attribute[] => {
    if (!attributeName.test(name) || ours.test(name)) return [];
    if (!value.includes('://')) return [[name, clean(value)]];
    return upstream === null || picture.test(name) ? [[name, cleanAddress(value)]] : [];
  });
}

/** Whole lines: the provider's, then the user's hints. */
export function extraDirectives({ extras, upstream }: Channel, profile: ProfileId): string[] {
  if (extras === null) return [];
  const said = extras.directives.filter((directive) => (upstream === null ? fitsTheirs : fitsOurs)(directive));
  return [...said.map(written), ...(extras.hints[profile] ?? []).map(oneLine).filter(isDirective)];
}

/** What the provider's address has to be asked with. */
export function headersOf(extras: Extras | null): Headers {
  return Object.fromEntries(Object.entries(extras?.headers ?? {}).filter(([name]) => headerName.test(name)));
}

function fitsTheirs({ name, value }: Directive): boolean {
  if (structure.test(name) || /^EXTHTTP$/i.test(name)) return false;
  return !(/^EXTVLCOPT$/i.test(name) && headerOption.test(value));
}

/** An address in it would be the provider's, with whatever names the account. */
function fitsOurs({ name, value }: Directive): boolean {
  if (structure.test(name) || transport.test(name) || value.includes('://')) return false;
  return !(/^(?:EXTVLCOPT|KODIPROP)$/i.test(name) && transportOption.test(value));
}

function written({ name, value }: Directive): string {
  if (value === '') return `#${name}`;
  return `#${name}${name.includes('--') ? '=' : ':'}${oneLine(value)}`;
}

function isDirective(line: string): boolean {
  return line.startsWith('#') && !structure.test(line.slice(1).split(/[\s:=]/, 1)[0] ?? '');
}
