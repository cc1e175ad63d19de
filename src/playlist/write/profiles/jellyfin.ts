import { withoutCommas } from '../../../model/list-text.js';
import { shift } from '../catchup.js';
import { plain } from '../direct.js';
import type { Profile } from '../profile.js';
import { asIs, decimalNumber } from '../text.js';

/** What .NET reads as a number. */
const number = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|infinity|nan)$/i;

/** Jellyfin takes a number and a blank at the start of a name away: a blank that does not break keeps `5 USA` whole. */
function name(text: string): string {
  const shown = withoutCommas(text);
  const blank = shown.indexOf(' ');
  if (blank < 1 || !number.test(shown.slice(0, blank).replace(/^\.+|\.+$/g, ''))) return shown;
  return `${shown.slice(0, blank)}\u00a0${shown.slice(blank + 1)}`;
}

/** Jellyfin's M3U tuner; a group is one string there, and headers cannot be given. */
export const jellyfin: Profile = {
  extension: '.ts',
  name,
  value: asIs,
  number: decimalNumber,
  splitsGroups: false,
  directives: 'before',
  local: [],
  archives: shift,
  direct: plain,
};
