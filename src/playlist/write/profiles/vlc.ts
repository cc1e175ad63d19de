import { withoutCommas } from '../../../model/list-text.js';
import { shift } from '../catchup.js';
import { withOptions } from '../direct.js';
import type { Profile } from '../profile.js';
import { asIs } from '../text.js';

const options = new Set(['http-user-agent', 'http-referrer']);

/**
 * VLC 3 ends the attributes at the first comma of the line, whatever stands in quotation marks, and takes what stands before
 * ` - ` in a name for an artist. Options stand between EXTINF and address.
 */
export const vlc: Profile = {
  extension: '',
  name: (name) => withoutCommas(name).replace(/ -(?= )/g, ' –'),
  value: withoutCommas,
  number: asIs,
  splitsGroups: false,
  directives: 'after',
  local: [],
  archives: shift,
  direct: (url, headers) => withOptions(url, headers, options),
};
