import { createHash } from 'node:crypto';

/** Where a channel is found; what changes from day to day is not part of it. */
type Address =
  | { readonly kind: 'multicast'; readonly group: string }
  | { readonly kind: 'xtream'; readonly stream: number }
  /** A token in the query. */
  | { readonly kind: 'hls'; readonly slug: string }
  /** A token in the path, before a number. */
  | { readonly kind: 'path'; readonly number: number }
  /** A token is all there is. */
  | { readonly kind: 'opaque'; readonly secret: number };

export type ProviderChannel = {
  /** Which channel it is in truth, whatever its list says. */
  readonly truth: number;
  readonly name: string;
  readonly tvgId: string | null;
  readonly group: string;
  readonly address: Address;
};

/** A provider of channels, and what its list says at one time. */
export type Provider = {
  /** In the order of the list. */
  readonly channels: readonly ProviderChannel[];
  /** Not in the list for now. */
  readonly away: readonly ProviderChannel[];
  readonly host: string;
  readonly account: string;
  /** Counts the days: tokens are of one. */
  readonly day: number;
  /** The truth of the next channel that is new. */
  readonly unused: number;
};

type Line = {
  readonly name: string;
  readonly url: string;
  readonly tvgId: string | null;
  readonly groups: readonly string[];
};

const places = ['Northern', 'Southern', 'Royal', 'Grand', 'Metro', 'Coastal', 'Central', 'Alpine', 'Baltic', 'Iberian'];
const subjects = ['News', 'Sport', 'Cinema', 'Kids', 'Music', 'Nature', 'History', 'Travel', 'Food', 'Drama'];
const groups = 25;

/**
 * A list as they are: a third multicast, a third Xtream Codes, a third HLS; qualities of one channel that share a guide id; four
 * in ten without one; one in twenty named as another, half of these in its group.
 */
export function createProvider(size: number, random: () => number): Provider {
  const channels: ProviderChannel[] = [];
  while (channels.length < size) channels.push(nextChannel(channels, random));
  return { channels, away: [], host: 'one.example', account: 'user1/pass1', day: 1, unused: size };
}

function nextChannel(before: readonly ProviderChannel[], random: () => number): ProviderChannel {
  const truth = before.length;
  const group = `Group ${Math.floor(random() * groups)}`;
  const own = { truth, group, ...nameFor(truth, random), address: addressFor(truth) };
  const last = before.at(-1);
  const other = before[Math.floor(random() * truth)];
  const chance = random();
  if (truth > 50 && other !== undefined && chance < 0.05) {
    return { ...own, name: other.name, group: chance < 0.025 ? other.group : group, tvgId: null };
  }
  if (last === undefined || chance > 0.5 || !last.name.endsWith(' SD')) return own;
  return { ...own, name: last.name.replace(/SD$/, 'HD'), group: last.group, tvgId: last.tvgId };
}

function nameFor(truth: number, random: () => number) {
  const words = `${places[truth % 10]} ${subjects[Math.floor(truth / 10) % 10]} ${Math.floor(truth / 100) + 1}`;
  const quality = random() < 0.4 ? ' SD' : random() < 0.3 ? ' HD' : '';
  const tvgId = random() < 0.6 ? `${words.toLowerCase().replaceAll(' ', '')}.tv` : null;
  return { name: words + quality, tvgId };
}

function addressFor(truth: number): Address {
  const kinds: Address[] = [
    { kind: 'multicast', group: `239.10.${truth >> 8}.${truth & 255}` },
    { kind: 'xtream', stream: 40_000 + truth },
    { kind: 'hls', slug: `ch${truth.toString(36)}x` },
    { kind: 'multicast', group: `239.10.${truth >> 8}.${truth & 255}` },
    { kind: 'xtream', stream: 40_000 + truth },
    { kind: 'path', number: truth },
  ];
  return kinds[truth % 6] ?? { kind: 'opaque', secret: truth };
}

/** The address of a channel as the list has it today. */
function urlOf({ host, account, day }: Provider, { address }: ProviderChannel): string {
  const token = (of: string | number) => createHash('md5').update(`${day} ${of}`).digest('hex');
  switch (address.kind) {
    case 'multicast':
      return `udp://@${address.group}:5000`;
    case 'xtream':
      return `http://${host}:8080/live/${account}/${address.stream}.ts`;
    case 'hls':
      return `https://cdn.${host}/hls/${address.slug}/index.m3u8?token=${token(address.slug)}&expires=${1_700_000_000 + day * 86_400}`;
    case 'path':
      return `https://cdn.${host}/play/${token(address.number)}/${address.number}/index.m3u8`;
    case 'opaque':
      return `https://cdn.${host}/play/${token(address.secret)}/index.m3u8`;
  }
}

/** What the list says today, line by line. */
export function linesOf(provider: Provider): (Line & { readonly truth: number })[] {
  return provider.channels.map((channel) => ({
    truth: channel.truth,
    name: channel.name,
    url: urlOf(provider, channel),
    tvgId: channel.tvgId,
    groups: [channel.group],
  }));
}

/** The list as it is fetched today. */
export function toM3u(provider: Provider): string {
  const entries = linesOf(provider).map(({ name, url, tvgId, groups: [group] }) => {
    const id = tvgId === null ? '' : ` tvg-id="${tvgId}"`;
    return `#EXTINF:-1${id} group-title="${group}",${name}\n${url}\n`;
  });
  return `#EXTM3U\n${entries.join('')}`;
}
