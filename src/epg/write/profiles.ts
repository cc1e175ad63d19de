import type { ProfileId } from '../../model/channel.js';

/** Characters that the titles in a guide for these players may have; null is any. TVBox players lose all that comes with a longer one. */
export function titleLimit(profile: ProfileId): number | null {
  return profile === 'tvbox' ? 255 : null;
}

/** The text, its end an ellipsis when it is longer than so many characters. */
export function cut(text: string, limit: number | null): string {
  if (limit === null || text.length <= limit) return text;
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}
