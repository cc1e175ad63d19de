import {
  clockAt,
  type Device,
  find,
  type Picked,
  type Player,
  type PlayerRequest,
  shifted,
  variable,
} from './player.js';

const userAgent = 'Kodi/20.5 (X11; Linux x86_64) App_Bitness/64 Version/20.5';
/** What it takes more of a programme in front of and behind it, in seconds. */
const buffer = { before: 300, behind: 900 };

/**
 * IPTV Simple: names the past in its address, and looks first whether there is something where the type of a stream is not told (an
 * existence check, then 1 KiB, both of an hour two hours ago).
 */
export const kodi: Player = (list, channel, picked, device) => {
  const { url, catchup, source, properties } = find(list, channel);
  const template = catchup === 'default' ? source : catchup === 'append' ? url + source : shiftedTemplate(url);
  const ask = (method: 'GET' | 'HEAD', at: Picked, most: number | null): PlayerRequest => {
    return { method, url: expandAsKodi(template, at, device), userAgent, most };
  };
  const { mimetype } = properties;
  const probed = { start: device.now - 7200, end: device.now - 3600 };
  const probes = mimetype === undefined ? [ask('HEAD', probed, null), ask('GET', probed, 1024)] : [];
  return [...probes, ask('GET', widened(picked, device), null)];
};

/** What it asks for of a programme. */
export function widened({ start, end }: Picked, { now }: Pick<Device, 'now'>): Picked {
  const length = Math.min(end - start + buffer.before + buffer.behind, now - start);
  return { start: start - buffer.before, end: start - buffer.before + length };
}

function shiftedTemplate(url: string): string {
  return shifted(url, { start: 0, end: 0 }, { now: 0, zone: 0 })
    .replace('utc=0', 'utc={utc}')
    .replace('lutc=0', 'lutc={lutc}');
}

/**
 * Its placeholder engine: single letters everywhere; all else once each, whatever stands in front of it.
 * @param correction seconds taken from the times of the programme
 */
export function expandAsKodi(template: string, picked: Picked, device: Device, correction = 0): string {
  const { now } = device;
  const [start, end] = [picked.start - correction, picked.end - correction];
  const begins = clockAt(start, device);
  let text = template.replace(/\{([YmdHMS])\}/g, (_, letter: keyof typeof begins) => begins[letter]);
  const once = (token: string, value: number | string) => {
    const at = text.indexOf(token);
    if (at >= 0) text = `${text.slice(0, at)}${value}${text.slice(at + token.length)}`;
  };
  const seconds = [
    ['{utc}', start],
    [variable('start'), start],
    ['{utcend}', end],
    [variable('end'), end],
  ] as const;
  for (const [token, value] of seconds) once(token, value);
  for (const token of ['{lutc}', variable('now'), variable('timestamp')]) once(token, now);
  for (const token of [variable('duration'), '{duration}']) once(token, end - start);
  const units = (name: string, value: number) => {
    const [, token = '', divider = ''] = new RegExp(`^.*(\\{${name}:(\\d+)\\})`).exec(text) ?? [];
    if (Number(divider) > 0) once(token, Math.max(0, Math.trunc(value / Number(divider))));
  };
  units('duration', end - start);
  // It counts without a sign.
  once(variable('offset'), `${BigInt.asUintN(64, BigInt(now - start))}`);
  units('offset', now - start);
  for (const [name, at] of formatted(start, end, now)) {
    const [token, , format = ''] = new RegExp(`${name.replace('$', '\\$')}:(([^}]+))\\}`).exec(text) ?? [];
    const clock = clockAt(at, device);
    if (token !== undefined)
      once(
        token,
        format.replace(/[YmdHMS]/g, (letter) => clock[letter as keyof typeof clock]),
      );
  }
  return text;
}

function formatted(start: number, end: number, now: number): [name: string, at: number][] {
  return [
    ['{utc', start],
    ['${start', start],
    ['{utcend', end],
    ['${end', end],
    ['{lutc', now],
    ['${now', now],
    ['${timestamp', now],
  ];
}
