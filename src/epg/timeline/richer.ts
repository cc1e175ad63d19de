import type { ProgrammeContent } from '../../model/programme.js';

/** The content that says more; the first of two that say as much. */
export function richer(one: ProgrammeContent, other: ProgrammeContent): ProgrammeContent {
  return JSON.stringify(other).length > JSON.stringify(one).length ? other : one;
}
