import { now as realNow } from '../../lib/clock.js';
import { WeirError } from '../../lib/errors.js';
import type { Wish } from '../../model/archive.js';
import { type TimelineItem, viewOf } from '../../model/programme.js';
import { planArchive } from '../../relay/catchup/plan.js';
import type { catchupOperations } from '../contract/catchup.js';
import type { Handlers } from '../handle.js';
import { InvalidRequest } from '../invalid-request.js';
import type { ApiOptions } from '../options.js';

type Options = Pick<ApiOptions, 'catchups' | 'guideReads' | 'clock'>;

/** Seconds before a programme within which a start means that one: players begin early. */
const early = 300;

export function catchupHandlers({ catchups, guideReads, clock }: Options): Handlers<typeof catchupOperations> {
  return {
    async getChannelCatchup({ params, query: { start, end = null, now = realNow() } }) {
      const wish = checked({ start, end }, now);
      const catchup = await catchups.of(params.id);
      if (catchup === null) throw new WeirError('not-found', 'There is no such channel, or it has no archive.');
      const { channel: _channel, urls: _urls, headers: _headers, interface: _interface, ...shown } = catchup;
      const around = await guideReads.timelines([params.id], start, Math.max(start + early, now) + 1);
      const items = around.get(params.id) ?? [];
      const plan = planArchive(catchup, wish, { now, openEnd: onAt(items, now)?.stop ?? null, household: clock });
      const programme = meantBy(items, start);
      const asked =
        'problem' in plan
          ? { url: null, range: null, headers: [], unknown: [], ...plan }
          : { ...plan, headers: Object.keys(plan.headers), problem: null };
      return { body: { ...shown, wish, now, ...asked, programme: programme && viewOf(programme) } };
    },
  };
}

/** @throws WeirError `invalid` */
function checked(wish: Wish, now: number): Wish {
  const wrong = (path: string, message: string) => new InvalidRequest([{ path, message }]);
  if (wish.start > now) throw wrong('start', 'It has not happened yet.');
  if (wish.end !== null && wish.end <= wish.start) throw wrong('end', 'It is not after `start`.');
  return wish;
}

function onAt(items: readonly TimelineItem[], at: number): TimelineItem | null {
  return items.find(({ start, stop }) => start <= at && stop > at) ?? null;
}

/** The programme that a start means. */
function meantBy(items: readonly TimelineItem[], at: number): TimelineItem | null {
  return items.find(({ start }) => start >= at && start <= at + early) ?? onAt(items, at);
}
