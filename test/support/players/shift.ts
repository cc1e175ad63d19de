import { find, type Player, shifted } from './player.js';

/** IPTVnator, SIPTV and all that know `shift` alone: `utc` and `lutc` behind the address. */
export const shift: Player = (list, channel, picked, device) => {
  const { url, catchup } = find(list, channel);
  if (catchup !== 'shift') throw new Error(`it knows no catchup="${catchup}"`);
  return [{ method: 'GET', url: shifted(url, picked, device), userAgent: 'VLC/3.0.20 LibVLC/3.0.20', most: null }];
};
