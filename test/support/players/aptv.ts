import { clockAt, type Device, digitsAt, find, type Picked, type Player, variable } from './player.js';

/** APTV: `(b)` and `(e)`, as epoch seconds or on the device's clock; Kodi's formatted tokens in UTC. */
export const aptv: Player = (list, channel, picked, device) => {
  const { url, catchup, source } = find(list, channel);
  if (catchup !== 'append' && catchup !== 'default') throw new Error(`APTV knows no catchup="${catchup}"`);
  const text = (catchup === 'append' ? url : '') + source;
  return [{ method: 'GET', url: expandAsAptv(text, picked, device), userAgent: 'APTV/1.2.9', most: null }];
};

function expandAsAptv(template: string, { start, end }: Picked, device: Device): string {
  const utc = (at: number, format: string) => {
    const clock = clockAt(at, { zone: 0 });
    return format.replace(/[YmdHMS]/g, (letter) => clock[letter as keyof typeof clock]);
  };
  return template
    .replaceAll(variable('(b)timestamp'), `${start}`)
    .replaceAll(variable('(e)timestamp'), `${end}`)
    .replaceAll(variable('(b)yyyyMMddHHmmss:utc'), digitsAt(start, { zone: 0 }))
    .replaceAll(variable('(e)yyyyMMddHHmmss:utc'), digitsAt(end, { zone: 0 }))
    .replaceAll(variable('(b)yyyyMMddHHmmss'), digitsAt(start, device))
    .replaceAll(variable('(e)yyyyMMddHHmmss'), digitsAt(end, device))
    .replace(/\{utc:([^}]+)\}/g, (_, format: string) => utc(start, format))
    .replace(/\{utcend:([^}]+)\}/g, (_, format: string) => utc(end, format));
}
