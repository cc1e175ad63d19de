import { withEverything } from '../direct.js';
import type { Profile } from '../profile.js';
import { asIs, withoutCommas } from '../text.js';

/** APTV on Apple's devices. */
export const aptv: Profile = {
  extension: '.ts',
  name: withoutCommas,
  value: asIs,
  number: asIs,
  splitsGroups: false,
  directives: 'before',
  local: [],
  direct: withEverything,
};
