import type { Channel, ProfileId } from '../../model/channel.js';
import type { Attribute } from '../../model/entry.js';
import { guideId } from '../../model/guide-id.js';
import { clean } from '../../model/list-text.js';
import { catchupAttributes } from './catchup.js';
import { directUrl, isForPlayers, plain } from './direct.js';
import { extraAttributes, extraDirectives, headersOf } from './extras.js';
import { streamUrl, type WriteOptions } from './options.js';
import type { Direct, Profile } from './profile.js';
import { profiles } from './profiles.js';
import { cleanAddress, hours, logoVersion } from './text.js';

/** The first line of an M3U list. */
export function m3uHeader({ guideUrl }: WriteOptions): string {
  const guide = guideUrl === null ? '' : cleanAddress(guideUrl);
  return guide === '' ? '#EXTM3U\n' : `#EXTM3U x-tvg-url="${guide}" url-tvg="${guide}"\n`;
}

/** Pieces of an M3U list below its first line, one for each channel that has an address; none depends on another. */
export function* m3uEntries(channels: Iterable<Channel>, options: WriteOptions): Generator<string, void, undefined> {
  const { base, profile: id } = options;
  const profile = profiles[id];
  for (const channel of channels) {
    const address = addressOf(channel, base, profile);
    if (address !== null) yield entry(channel, address, base, id, profile);
  }
}

function addressOf(channel: Channel, base: string, profile: Profile): Direct | null {
  const { upstream, direct, extras } = channel;
  if (upstream !== null) return plain(streamUrl(channel, base, profile));
  return isForPlayers(direct) ? profile.direct(directUrl(direct), headersOf(extras)) : null;
}

function entry(channel: Channel, address: Direct, base: string, id: ProfileId, profile: Profile): string {
  const name = profile.name(clean(channel.name)) || channel.key;
  const extinf = `#EXTINF:-1${attributes(channel, name, base, profile)}${pastOf(channel, address, profile)}${extra(channel, address, profile)},${name}\n`;
  const lines = directives(channel, address, id, profile);
  return profile.directives === 'before' ? `${lines}${extinf}${address.url}\n` : `${extinf}${lines}${address.url}\n`;
}

/** Pictures that Weir serves: those of the web, and those that stand in the list. */
const served = /^(?:https?:\/\/|data:image\/)/i;

function attributes(channel: Channel, name: string, base: string, { value, number, splitsGroups }: Profile): string {
  const { key, logo, guideShift } = channel;
  let text = ` tvg-id="${value(guideId(channel))}" tvg-name="${value(name)}"`;
  const shownNumber = channel.number === null ? null : number(clean(channel.number));
  if (shownNumber) text += ` tvg-chno="${value(shownNumber)}"`;
  if (logo !== null && served.test(logo)) text += ` tvg-logo="${base}/logos/${key}?v=${logoVersion(logo)}"`;
  if (guideShift !== null && guideShift !== 0) text += ` tvg-shift="${hours(guideShift)}"`;
  const group = groupTitle(channel.groups, splitsGroups);
  if (group !== '') text += ` group-title="${value(group)}"`;
  return channel.radio ? `${text} radio="true"` : text;
}

function groupTitle(groups: readonly string[], splitsGroups: boolean): string {
  let title = '';
  for (const group of groups) {
    const name = groupName(group);
    if (name === '') continue;
    title += title === '' ? name : `;${name}`;
    if (!splitsGroups) break;
  }
  return title;
}

/** A semicolon of its own would split it. */
function groupName(group: string): string {
  const name = clean(group);
  return name.includes(';') ? name.replaceAll(';', '；') : name;
}

function pastOf(channel: Channel, { url }: Direct, profile: Profile): string {
  if (channel.archive === null) return '';
  return catchupAttributes(channel, url, profile)
    .map(([name, text]) => ` ${name}="${profile.value(text)}"`)
    .join('');
}

function extra(channel: Channel, address: Direct, { value }: Profile): string {
  if (channel.extras === null && address.attributes.length === 0) return '';
  const all: readonly Attribute[] = [...address.attributes, ...extraAttributes(channel)];
  return all.map(([name, text]) => ` ${name}="${value(text)}"`).join('');
}

function directives(channel: Channel, address: Direct, id: ProfileId, { local }: Profile): string {
  const isOurs = channel.upstream !== null;
  if (channel.extras === null) return lines(isOurs ? local : address.directives);
  const extras = extraDirectives(channel, id);
  const said = new Set(extras.map(property));
  const own = isOurs ? local.filter((line) => !said.has(property(line))) : address.directives;
  return lines([...own, ...extras]);
}

function property(line: string): string {
  return (line.split('=', 1)[0] ?? '').replace(/\s/g, '').toLowerCase();
}

function lines(all: readonly string[]): string {
  return all.length === 0 ? '' : `${all.join('\n')}\n`;
}
