import { withoutCommas } from '../../../model/list-text.js';
import { behind } from '../catchup.js';
import { withOptions } from '../direct.js';
import type { Profile } from '../profile.js';
import { asIs } from '../text.js';

/** The TVBox family, FongMi, mytv and my-tv: names behind the last comma, what follows a `$` of an address is its label. */
export const tvbox: Profile = {
  extension: '',
  name: withoutCommas,
  value: asIs,
  number: asIs,
  splitsGroups: false,
  directives: 'before',
  local: [],
  archives: behind(`?playseek=\${(b)yyyyMMddHHmmss}-\${(e)yyyyMMddHHmmss}`),
  direct: (url, headers) => withOptions(url.replaceAll('$', '%24'), headers),
};
