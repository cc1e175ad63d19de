import { clockAt, type Device, find, type Picked, type Player, shifted } from './player.js';

const parts = { year: 'Y', month: 'm', day: 'd', hour: 'H', min: 'M', sec: 'S' } as const;

/** OTT Navigator: every occurrence of its variables, epoch seconds or parts of the device's clock. */
export const ott: Player = (list, channel, picked, device) => {
  const { url, catchup, source } = find(list, channel);
  const userAgent = 'OTT Navigator/1.7.3.1 (Linux;Android 12; en; 1a2b3c) ExoPlayerLib/2.18.7';
  const asked =
    catchup === 'shift'
      ? shifted(url, picked, device)
      : (catchup === 'append' ? url : '') + expandAsOtt(source, picked, device);
  return [{ method: 'GET', url: asked, userAgent, most: null }];
};

export function expandAsOtt(template: string, { start, end }: Picked, device: Device): string {
  const { now } = device;
  const values: Record<string, number> = {
    '{utc}': start,
    '${start}': start,
    '{utcend}': end,
    '${end}': end,
    '{lutc}': now,
    '{current_utc}': now,
    '${now}': now,
    '${timestamp}': now,
    '${duration}': end - start,
    '${durmin}': Math.floor((end - start) / 60),
    '${offset}': now - start,
  };
  const instants = { start, end, now };
  return template
    .replace(/\$?\{\w+\}/g, (token) => `${values[token] ?? token}`)
    .replace(
      /\$\{(start|end|now)-(year|month|day|hour|min|sec)\}/g,
      (_, name: keyof typeof instants, part: keyof typeof parts) => {
        return clockAt(instants[name], device)[parts[part]];
      },
    );
}
