import { fixedClock, type ZoneClock } from '../../lib/zone-clock.js';

const zone = /\bTZ\/(?:UTC|GMT)(?:([+-])(\d{1,2})(?::?([0-5]\d))?)?(?![\w:])/i;

/** The clock that a player says it has, `TZ/UTC+8` or `TZ/UTC-3:30`, from 12 hours west to 14 east; null when it says none. */
export function userAgentClock(userAgent: string): ZoneClock | null {
  const match = zone.exec(userAgent);
  if (match === null) return null;
  const [, sign, hours = '0', minutes = '0'] = match;
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  return offset < -12 * 3600 || offset > 14 * 3600 ? null : fixedClock(offset);
}
