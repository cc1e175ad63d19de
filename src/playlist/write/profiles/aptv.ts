import { withoutCommas } from '../../../model/list-text.js';
import { behind } from '../catchup.js';
import { withEverything } from '../direct.js';
import type { Profile } from '../profile.js';
import { asIs } from '../text.js';

/** APTV on Apple's devices. */
export const aptv: Profile = {
  extension: '.ts',
  name: withoutCommas,
  value: asIs,
  number: asIs,
  splitsGroups: false,
  directives: 'before',
  local: [],
  archives: behind(`?starttime=\${(b)timestamp}&endtime=\${(e)timestamp}`),
  direct: withEverything,
};
