import { digitsAt, find, type Player, variable } from './player.js';

/**
 * TVBox and what came of it: `(b)` and `(e)` on the device's clock.
 * @param zone what it says of its zone behind its name, such as ` TZ/UTC+8`; nothing when it says nothing
 */
export function tvbox(zone = ''): Player {
  return (list, channel, { start, end }, device) => {
    const { url, catchup, source } = find(list, channel);
    if (catchup !== 'append' && catchup !== 'default') throw new Error(`TVBox knows no catchup="${catchup}"`);
    const behind = url.includes('?') && catchup === 'append' ? source.replace(/^\?/, '&') : source;
    const asked = ((catchup === 'append' ? url : '') + behind)
      .replaceAll(variable('(b)yyyyMMddHHmmss'), digitsAt(start, device))
      .replaceAll(variable('(e)yyyyMMddHHmmss'), digitsAt(end, device));
    return [{ method: 'GET', url: asked, userAgent: `okhttp/4.12.0${zone}`, most: null }];
  };
}
