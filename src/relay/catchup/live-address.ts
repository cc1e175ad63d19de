import { utc } from '../../lib/zone-clock.js';
import { expand } from './expand.js';
import { readTemplate } from './read-template.js';
import { momentOf } from './token.js';

/** The address of a live channel with `{lutc}`, `${now}` and their like filled: some providers sign by it. Without any it stays as it is. */
export function liveAddress(url: string, now: number): string {
  if (!/[{$]|%7B/i.test(url)) return url;
  const template = readTemplate(url);
  const isClocked = template.tokens.some((token) => momentOf(token) === 'now');
  return isClocked ? expand(template, { start: now, end: now, now }, { zone: utc, formatted: 'utc' }) : url;
}
