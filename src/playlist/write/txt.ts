import type { Channel } from '../../model/channel.js';
import { clean } from '../../model/list-text.js';
import { directUrl, isForPlayers } from './direct.js';
import { streamUrl, type WriteOptions } from './options.js';
import { profiles } from './profiles.js';

/** mytv's own name for the group of channels without one; a list without any group is not taken for a list. */
const ungrouped = '其他';

/**
 * Pieces of a TXT list, one a group, in the order in which the groups come first: `Group,#genre#`, below it `Name,URL`, the
 * addresses of channels with the same name and group joined with `#`. A channel stands in its first group alone.
 */
export function* txtPieces(channels: Iterable<Channel>, options: WriteOptions): Generator<string, void, undefined> {
  for (const [group, names] of gather(channels, options)) {
    let piece = `${group},#genre#\n`;
    for (const [name, urls] of names) piece += `${name},${urls.join('#')}\n`;
    yield piece;
  }
}

/** Addresses by name by group. */
function gather(channels: Iterable<Channel>, { base, profile }: WriteOptions): Map<string, Map<string, string[]>> {
  const groups = new Map<string, Map<string, string[]>>();
  for (const channel of channels) {
    const url = addressOf(channel, base, profile);
    if (url === null) continue;
    const group = channel.groups.map(field).find((name) => name !== '') ?? ungrouped;
    const names = groups.get(group) ?? new Map<string, string[]>();
    groups.set(group, names);
    const name = field(channel.name) || channel.key;
    const urls = names.get(name);
    if (urls === undefined) names.set(name, [url]);
    else urls.push(url);
  }
  return groups;
}

/** In an address `,` ends it for some, `#` begins an alternative and `$` a label. */
function addressOf(channel: Channel, base: string, profile: WriteOptions['profile']): string | null {
  if (channel.upstream !== null) return streamUrl(channel, base, profiles[profile]);
  return isForPlayers(channel.direct) ? directUrl(channel.direct).replace(/[,#$]/g, encodeURIComponent) : null;
}

/** Commas of either width end a name, `#` begins a comment or a `#genre#`, `://` an address. */
function field(text: string): string {
  const line = clean(text);
  if (!/[,，#]|:\/\//.test(line)) return line;
  return line
    .replace(/\s*[,，]\s*/g, ' · ')
    .replaceAll('#', '＃')
    .replaceAll('://', '：//')
    .trim();
}
