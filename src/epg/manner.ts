import type { GuideSource } from '../model/guide.js';

/** To be raised when the reader learns to read more, so that guides that did not change are read again. */
const readerVersion = 1;

/** What decides how a guide is read, in a few characters: read in another way, the same bytes say something else. */
export function mannerOf({ encoding, timeZone }: Pick<GuideSource, 'encoding' | 'timeZone'>): string {
  return JSON.stringify([readerVersion, encoding, timeZone]);
}
