import { withoutCommas } from '../../../model/list-text.js';
import { shift } from '../catchup.js';
import { withEverything } from '../direct.js';
import type { Profile } from '../profile.js';
import { asIs } from '../text.js';

/** What nearly every player reads. */
export const generic: Profile = {
  extension: '',
  name: withoutCommas,
  value: asIs,
  number: asIs,
  splitsGroups: true,
  directives: 'before',
  local: [],
  archives: shift,
  direct: withEverything,
};
