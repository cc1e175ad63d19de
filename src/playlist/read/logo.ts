import type { Attribute } from '../../model/entry.js';
import { resolve } from './address.js';
import { attributeOf } from './attributes.js';

/**
 * The address of an entry's picture, in full where that can be told: joined to the list's `url-logo`, or resolved against
 * the list's own address. Null when none is said.
 */
export function readLogo(own: readonly Attribute[], list: readonly Attribute[], base: string | null): string | null {
  const logo = attributeOf(own, 'tvg-logo') ?? attributeOf(own, 'logo');
  if (logo === null || /^[a-z][a-z0-9+.-]*:/i.test(logo)) return logo;
  if (logo.startsWith('//')) return URL.canParse(`https:${logo}`) ? (resolve(logo, base) ?? `https:${logo}`) : logo;
  const folder = attributeOf(list, 'url-logo');
  const path = folder === null ? logo : `${folder.replace(/\/$/, '')}/${logo.replace(/^\//, '')}`;
  return resolve(path, base) ?? path;
}
