import { now } from '../../lib/clock.js';
import type { ZoneClock } from '../../lib/zone-clock.js';
import type { ChannelCatchup, Wish } from '../../model/archive.js';
import type { ArchivePlan } from '../contract.js';
import { planArchive } from './plan.js';

type Options = {
  readonly catchups: { of(channel: number): Promise<ChannelCatchup | null> };
  /** Of channels without a zone. */
  readonly household: ZoneClock;
};

/** An archive as the pump keeps it; without a channel its address itself was asked for. */
type Kept = Wish & { readonly channel: number | null };

/** Plans archives that an earlier process planned, by what holds of their channels now. Null where that cannot be done. */
export function createPlanAgain({
  catchups,
  household,
}: Options): (kept: Kept) => Promise<Pick<ArchivePlan, 'from'> | null> {
  return async ({ channel, start, end }) => {
    const catchup = channel === null ? null : await catchups.of(channel);
    if (catchup === null) return null;
    const plan = (from: number) => planArchive(catchup, { start: from, end }, { now: now(), openEnd: null, household });
    const whole = plan(start);
    if ('problem' in whole) return null;
    return {
      from(seconds) {
        const rest = plan(start + seconds);
        return 'problem' in rest ? whole : rest;
      },
    };
  };
}
