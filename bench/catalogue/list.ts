import { createHash } from 'node:crypto';

export type ListOptions = {
  readonly entries: number;
  /** Stands in every http address: another one is what a provider does overnight. */
  readonly token: string;
  /** Whether three entries in ten have other names. */
  readonly renamed: boolean;
};

const countries = 'DE AT CH FR IT ES PT UK IE NL BE PL CZ SE NO DK FI GR TR RO'.split(' ');
const subjects = [
  'News',
  'Sport',
  'Movies',
  'Kids',
  'Music',
  'Documentary',
  'Regional',
  'Culture',
  'Shopping',
  'Series',
];
const qualities = ['SD', 'HD', 'FHD'];

/** How many groups a list has that has them all. */
export const groupCount = countries.length * subjects.length;

/**
 * An M3U list as big providers write them, 180 bytes an entry: three qualities of each channel, 200 groups, guide ids, logos,
 * attributes that nobody knows, some catch-up and some directives. Three addresses in four are http with a token, the others
 * multicast. The same options make the same bytes.
 */
export function listOf({ entries, token, renamed }: ListOptions): string {
  const secret = createHash('sha256').update(token).digest('base64url').slice(0, 22);
  const lines = ['#EXTM3U x-tvg-url="http://guide.example.net/epg.xml.gz"'];
  for (let index = 0; index < entries; index += 1) {
    const channel = Math.floor(index / qualities.length);
    lines.push(extinf(index, renamed && index % 10 < 3));
    if (channel % 50 === 0) lines.push('#EXTVLCOPT:http-user-agent=Player/1.0');
    lines.push(addressOf(index, secret));
  }
  return `${lines.join('\n')}\n`;
}

export function groupOf(index: number): string {
  const { country, subject } = placeOf(index);
  return `${country} | ${subject}`;
}

/** As a list without renames says it. */
export function nameOf(index: number): string {
  const { country, subject, channel } = placeOf(index);
  return `${country}: Nova ${subject} ${channel} ${qualities[index % qualities.length] ?? ''}`;
}

function extinf(index: number, isRenamed: boolean): string {
  const { country, channel } = placeOf(index);
  const catchup = channel % 10 === 0 ? ' catchup="shift" catchup-days="7"' : '';
  const known = `tvg-id="nova${channel}.${country.toLowerCase()}" tvg-logo="http://logos.example.net/${channel}.png"`;
  const name = nameOf(index);
  const shown = isRenamed ? name.replace('Nova', 'Nova Extra') : name;
  return `#EXTINF:-1 ${known} group-title="${groupOf(index)}" x-rank="${index % 7}"${catchup},${shown}`;
}

function addressOf(index: number, secret: string): string {
  if (index % 4 === 3) return `udp://@239.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}:5000`;
  return `http://line${index % 3}.example.net/live/${index}.ts?token=${secret}`;
}

function placeOf(index: number) {
  const channel = Math.floor(index / qualities.length);
  const group = channel % groupCount;
  const country = countries[group % countries.length] ?? '';
  const subject = subjects[Math.floor(group / countries.length)] ?? '';
  return { channel, country, subject };
}
