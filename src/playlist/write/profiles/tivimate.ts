import { withoutCommas } from '../../../model/list-text.js';
import { whole } from '../catchup.js';
import { withBar } from '../direct.js';
import type { Profile } from '../profile.js';
import { asIs } from '../text.js';

/** TiviMate shows `News;HD` as one group. */
export const tivimate: Profile = {
  extension: '.ts',
  name: withoutCommas,
  value: asIs,
  number: asIs,
  splitsGroups: false,
  directives: 'before',
  local: [],
  archives: whole(`?utc=\${start}&utcend=\${end}&lutc=\${timestamp}`),
  direct: withBar,
};
