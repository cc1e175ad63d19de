import { expandAsOtt } from './ott.js';
import { find, type Player, shifted } from './player.js';

/** TiviMate, of whose variables nothing is written: those that lists for it use, which it shares with OTT Navigator. */
export const tivimate: Player = (list, channel, picked, device) => {
  const { url, catchup, source } = find(list, channel);
  const userAgent = 'TiviMate/4.7.0 (Linux; Android 11)';
  const built = (catchup === 'append' ? url : '') + expandAsOtt(source, picked, device);
  return [{ method: 'GET', url: catchup === 'shift' ? shifted(url, picked, device) : built, userAgent, most: null }];
};
