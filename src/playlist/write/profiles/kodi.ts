import { whole } from '../catchup.js';
import { withBar } from '../direct.js';
import type { Profile } from '../profile.js';
import { asIs, decimalNumber } from '../text.js';

/**
 * Kodi's IPTV Simple: the name begins at the first comma behind the last quotation mark, numbers are `7` or `7.10`, and a
 * stream whose type is told is not probed before it plays.
 */
export const kodi: Profile = {
  extension: '.ts',
  name: asIs,
  value: asIs,
  number: decimalNumber,
  splitsGroups: true,
  directives: 'before',
  local: ['#KODIPROP:mimetype=video/mp2t'],
  archives: whole('?utc={utc}&utcend={utcend}&lutc={lutc}'),
  direct: withBar,
};
