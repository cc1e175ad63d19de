import { WeirError } from '../lib/errors.js';
import { type ProfileId, profileIds } from '../model/channel.js';
import type { Context } from './context.js';

/** The players of `?profile=`, in any case; `generic` without it. @throws WeirError `invalid` for others. */
export function profileOf(ctx: Context): ProfileId {
  const { profile: written = 'generic' } = ctx.query;
  const asked = [written].flat()[0] ?? 'generic';
  const profile = profileIds.find((id) => id === asked.toLowerCase());
  if (profile === undefined) {
    throw new WeirError('invalid', `There is no profile "${asked.slice(0, 40)}". They are ${profileIds.join(', ')}.`);
  }
  return profile;
}
