/** A programme that a player's user picks; epoch seconds. */
export type Picked = { readonly start: number; readonly end: number };

/** What a player runs on. */
export type Device = {
  readonly now: number;
  /** Minutes that its clock is ahead of UTC. */
  readonly zone: number;
};

export type PlayerRequest = {
  readonly method: 'GET' | 'HEAD';
  readonly url: string;
  readonly userAgent: string;
  /** Bytes of the body after which it closes; null reads on. */
  readonly most: number | null;
};

/** What a player asks for when one of its list's channels is opened at a programme that is over: in this order, each after the other. */
export type Player = (list: string, channel: string, picked: Picked, device: Device) => PlayerRequest[];

/** A channel as these players read it. */
export type Listed = {
  readonly url: string;
  readonly catchup: string;
  readonly source: string;
  /** By name. */
  readonly properties: Readonly<Record<string, string>>;
};

/** @throws when no channel of that name is in the list. */
export function find(list: string, channel: string): Listed {
  const lines = list.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line) => line.startsWith('#EXTINF') && line.endsWith(`,${channel}`));
  const info = lines[at];
  if (info === undefined) throw new Error(`no channel "${channel}" in ${list}`);
  const properties: Record<string, string> = {};
  // Properties stand behind the address of the channel before, in front of EXTINF or below it.
  const before = lines.findLastIndex((line, index) => index < at && line !== '' && !line.startsWith('#'));
  for (const line of lines.slice(before + 1)) {
    const [, name = '', value = ''] = /^#KODIPROP:([^=]+)=(.*)$/.exec(line) ?? [];
    if (name !== '') properties[name] = value;
    else if (line !== '' && !line.startsWith('#')) {
      return { url: line, catchup: attribute(info, 'catchup'), source: attribute(info, 'catchup-source'), properties };
    }
  }
  throw new Error(`channel "${channel}" has no address`);
}

function attribute(info: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(info)?.[1] ?? '';
}

/** Year, month, day, hour, minute and second on a device's clock, padded. */
export function clockAt(
  instant: number,
  { zone }: Pick<Device, 'zone'>,
): Record<'Y' | 'm' | 'd' | 'H' | 'M' | 'S', string> {
  const [Y = '', m = '', d = '', H = '', M = '', S = ''] = new Date((instant + zone * 60) * 1000)
    .toISOString()
    .split(/[-T:.Z]/);
  return { Y, m, d, H, M, S };
}

/** `20240101120000` on a device's clock. */
export function digitsAt(instant: number, device: Pick<Device, 'zone'>): string {
  return Object.values(clockAt(instant, device)).join('');
}

/** Where `utc` and `lutc` are put behind an address. */
export function shifted(url: string, { start }: Picked, { now }: Device): string {
  return `${url}${url.includes('?') ? '&' : '?'}utc=${start}&lutc=${now}`;
}

/** `${name}`. */
export function variable(name: string): string {
  return `\${${name}}`;
}
